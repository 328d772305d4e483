# Ends the workers of a run after its launcher was killed, and deletes the run's directory with the token. Standard input:
# from the launcher, the process ids of the living workers, a line after each change; "done" when all have ended. It ends
# with the launcher.
# Usage: sh launcher-watch.sh NAME=VALUE DIRECTORY   NAME=VALUE: in the environment of all processes of the run
# shellcheck shell=sh disable=SC2013
marker=$1
directory=$2
trap '' HUP INT QUIT TERM

workers=
while read -r line; do
    workers=$line
done
[ "$workers" != "done" ] || exit 0

# Print the processes of the run, except session leaders, which should outlive it. Without /proc only the workers are
# known.
processes() {
    [ -r /proc/self/environ ] || printf '%s\n' "$workers"
    for file in $(grep -lsF "$marker" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        pid=${pid%/environ}
        stat=$(cat "/proc/$pid/stat" 2>/dev/null) || continue
        # shellcheck disable=SC2086 # the fields after the command's name; the fourth is the session
        set -- ${stat##*) }
        [ "$4" = "$pid" ] || printf '%s\n' "$pid"
    done
}

# shellcheck disable=SC2086 # several process ids
kill -TERM $workers
sleep 0.5 || sleep 1
# shellcheck disable=SC2046
kill -KILL $(processes)
rm -rf -- "$directory"
