"""One emulator for several test processes, each in a world of its own."""

import json
import pathlib
import subprocess
import sys

import requests

from conftest import running_emulator
from world import TIMEOUT_SECONDS

PROCESS_COUNT = 8
RUN_SECONDS_MAX = 120
PROCESS = pathlib.Path(__file__).with_name("world_process.py")


def get(addresses, path):
    answer = requests.get(addresses["control"].rstrip("/") + path, timeout=TIMEOUT_SECONDS)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_eight_processes_side_by_side():
    with running_emulator() as addresses:
        before = get(addresses, "/state")
        processes = [
            subprocess.Popen(
                [sys.executable, PROCESS, json.dumps(addresses), f"process-{number}", str(number)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for number in range(1, PROCESS_COUNT + 1)
        ]
        for process in processes:
            process.stdin.write("\n")
            process.stdin.flush()
        subjects = []
        for process in processes:
            output, problems = process.communicate(timeout=RUN_SECONDS_MAX)
            assert process.returncode == 0, problems
            subjects.append(output.strip())
        assert len(set(subjects)) == PROCESS_COUNT, "each world knows people by its own names"
        names = [world["name"] for world in get(addresses, "/worlds")["worlds"]]
        assert names == [f"process-{number}" for number in range(1, PROCESS_COUNT + 1)]
        # Whoever names no world finds everything as it was: they alone looked at its keys.
        after = get(addresses, "/state")
        for section in before:
            if section != "now":
                assert after[section] == before[section], section
        paths = {one["path"] for one in get(addresses, "/requests")["requests"]}
        assert paths == {"/auth/keys"}
        assert get(addresses, "/mail")["messages"] == []
        assert get(addresses, "/notifications")["notifications"] == []
