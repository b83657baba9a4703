#!/bin/bash
# Replaces systemctl for pages_as_root.sh: starts and stops the command of the unit, as the unit's user.
set -eu

pid=/run/siwa-page.pid

start() {
    install -d -m 0700 -o siwa -g siwa /var/lib/siwa
    read -ra command <<< "$(sed -n 's/^ExecStart=//p' /etc/systemd/system/siwa.service)"
    setpriv --reuid siwa --regid siwa --init-groups "${command[@]}" > /run/siwa-page.log 2>&1 < /dev/null &
    echo $! > $pid
    until siwa health http://127.0.0.1:8080/health/ready > /dev/null 2>&1; do
        kill -0 "$(< $pid)" 2> /dev/null || { cat /run/siwa-page.log >&2; exit 1; }
    done
}

stop() {
    [ -e $pid ] || return 0
    # A server that has already ended is stopped.
    kill "$(< $pid)" 2> /dev/null || true
    tail --pid "$(< $pid)" -f /dev/null
    rm $pid
}

case $* in
    daemon-reload) ;;
    "enable --now siwa" | "start siwa") start ;;
    "restart siwa") stop; start ;;
    "stop siwa") stop ;;
    *) echo "systemctl $*: not in systemctl.sh" >&2; exit 1 ;;
esac
