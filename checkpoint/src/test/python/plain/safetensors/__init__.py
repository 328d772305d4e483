"""Stands for the Python library of the format where it is not installed."""
