#!/bin/sh
# Runs a server that ends with the process that started this script, however that one ends.
#
#   run-server.sh <folder> <command> <arguments…>
#
# File descriptor 3 is a pipe whose other end the starting process holds, and only that one: the pipe closes when it
# ends; the folder is removed then. Writes the id of the server's process to its output, and what the server says to the
# file "log" of the folder.
folder=$1
shift
"$@" >>"$folder/log" 2>&1 </dev/null 3<&- &
server=$!
(
  read -r _ <&3
  : >"$folder/left-alone"
  kill -9 "$server"
) >/dev/null 2>&1 &
watcher=$!
echo "$server"
exec >/dev/null 2>&1 3<&-
wait "$server"
status=$?
kill -9 "$watcher"
if [ -e "$folder/left-alone" ]; then rm -rf "$folder"; fi
exit "$status"
