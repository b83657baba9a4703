# What a page's blocks find in their shell, besides siwa in the PATH (pages.py).
set -euo pipefail

declare -A servers=()
trap 'kill "${servers[@]}" 2> /dev/null || true' EXIT

# A server has a terminal of its own, and the next one on its ports takes its place.
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
    kill "${servers[$1]}"
    wait "${servers[$1]}" || true
    unset "servers[$1]"
}

healthy() {
    local pid=$! url=$1
    until command siwa health "$url" > /dev/null 2>&1; do
        kill -0 "$pid" || { cat "$HOME"/*.log; return 1; }
    done
}

# The clone's binary is built; its demo is what make run starts.
make() {
    [ "$*" = run ] || { echo "make $* is not run" >&2; return 1; }
    siwa demo
}

# A refusal ends the page, except those that it shows.
curl() {
    local arguments=("$@")
    [[ " $* " == *" --fail "* ]] || arguments+=(--fail-with-body)
    command curl --silent --show-error "${arguments[@]}" && return
    echo "refused: curl $*" >> "$HOME/refusals"
    [[ "$*" =~ $REFUSED ]] || { tail -n 1 "$HOME/refusals" >&2; return 1; }
}

# It opens a window.
chromium() { :; }
