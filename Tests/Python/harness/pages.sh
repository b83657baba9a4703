# Functions for the shell that runs a page's blocks (pages.py); siwa is in its PATH.
set -euo pipefail

declare -A servers=()
trap 'kill "${servers[@]}" 2> /dev/null || true' EXIT

# Runs a server in the background, as in a terminal of its own, and first stops the one on the same ports.
siwa() {
    case "${1:-} ${2:-}" in
        "emulator env") command siwa "$@" ;;
        "emulator "*) start "$@"; healthy http://127.0.0.1:8082/health ;;
        "serve "*) start "$@"; healthy http://127.0.0.1:8080/health/ready ;;
        "demo "*) stop emulator; stop serve; start "$@"; healthy http://127.0.0.1:8080/health/ready; healthy http://127.0.0.1:8082/health ;;
        *) command siwa "$@" ;;
    esac
}

start() {
    stop demo
    stop "$1"
    command siwa "$@" > "$HOME/$1.log" 2>&1 &
    servers[$1]=$!
}

stop() {
    [ -n "${servers[$1]:-}" ] || return 0
    # A server that has already ended is stopped.
    kill "${servers[$1]}" 2> /dev/null || true
    wait "${servers[$1]}" || true
    unset "servers[$1]"
}

healthy() {
    local pid=$! url=$1
    until command siwa health "$url" > /dev/null 2>&1; do
        kill -0 "$pid" 2> /dev/null || { cat "$HOME"/*.log; return 1; }
    done
}

# The binary is built already, so make run only starts the demo.
make() {
    [ "$*" = run ] || { echo "make $* is not run" >&2; return 1; }
    siwa demo
}

# A refused request fails the page, unless the page shows this refusal.
curl() {
    local arguments=("$@")
    [[ " $* " == *" --fail "* ]] || arguments+=(--fail-with-body)
    command curl --silent --show-error "${arguments[@]}" && return
    echo "refused: curl $*" >> "$HOME/refusals"
    [[ "$*" =~ $REFUSED ]] || { tail -n 1 "$HOME/refusals" >&2; return 1; }
}

# Vapor's packages are not there: an app that is built with them finds its settings.
swift() {
    case "$*" in
        build) ;;
        "run HelloVapor"*)
            (
                export $(< .env)
                openssl pkey -in "$APPLE_KEY_FILE" -noout
                [[ "$SEALING_KEYS $APPLE_TEAM_ID $APPLE_KEY_ID $APPLE_URL" == k1:*=\ *\ *\ http* ]]
            )
            ;;
        *) echo "swift $* is not run" >&2; return 1 ;;
    esac
}

# It opens a window.
chromium() { :; }
