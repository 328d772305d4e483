# Starts the launcher of this host, for "gradwire hosts" on another one.
# Usage: sh start-on-host.sh DIRECTORY FOLDER OPTION...   DIRECTORY: of Gradwire; FOLDER: to start in, if it is here
# shellcheck shell=sh
directory=$1
folder=$2
shift 2
case $directory in
    /*) ;;
    *) directory=$PWD/$directory ;;
esac
if [ ! -x "$directory/gradwire" ]; then
    printf 'there is no program %s/gradwire: copy Gradwire to this host, or name its directory with --directory DIR\n' "$directory" >&2
    exit 2
fi
cd "$folder" 2>/dev/null || cd || exit
exec "$directory/gradwire" run "$@"
