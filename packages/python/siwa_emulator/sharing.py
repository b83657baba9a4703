"""One emulator for the processes of a run: the first that needs it makes the controller start it."""

import contextlib
import json
import socket
import threading

from siwa_emulator.emulator import TIMEOUT_SECONDS, running_emulator
from siwa_emulator.program import EmulatorError


class SharedEmulator:
    """Tells the workers on a port where the emulator is, and starts it when the first of them asks."""

    def __init__(self) -> None:
        self._emulator = contextlib.ExitStack()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._answer, daemon=True).start()

    def close(self) -> None:
        """Ends the emulator."""
        self._listener.close()
        self._emulator.close()

    def _answer(self) -> None:
        answer: dict[str, str] = {}
        while True:
            try:
                worker, _ = self._listener.accept()
            except OSError:
                return
            with worker:
                answer = answer or self._start()
                worker.sendall(json.dumps(answer).encode())

    def _start(self) -> dict[str, str]:
        try:
            return self._emulator.enter_context(running_emulator())
        except Exception as error:
            # Whatever it is, the workers wait for an answer.
            return {"error": str(error)}


def shared_control(port: int) -> str:
    """The control URL of the emulator of the run, as a worker asks the controller."""
    try:
        with socket.create_connection(("127.0.0.1", port), 2 * TIMEOUT_SECONDS) as controller:
            answer = json.load(controller.makefile())
    except (OSError, ValueError) as error:
        raise EmulatorError(
            f"the process that started this worker does not say where the emulator is: {error}. On another machine, "
            "set SIWA_CONTROL_URL"
        ) from error
    if "error" in answer:
        raise EmulatorError(answer["error"])
    control: str = answer["control"]
    return control
