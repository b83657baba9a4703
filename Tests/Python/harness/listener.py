"""HTTP servers of the tests' own."""

import http.server
import threading

HTML = "text/html; charset=utf-8"


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers one request; the tests read answers, not logs."""

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status, fields=None):
        self.answer_text(status, "application/json", "{}", fields)

    def answer_text(self, status, content_type, text, fields=None):
        body = text.encode()
        self.send_response(status)
        for name, value in (fields or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Listener(http.server.ThreadingHTTPServer):
    """Answers at a free port of this machine until it is closed; by TLS where there is a context."""

    def __init__(self, handler, context=None):
        super().__init__(("127.0.0.1", 0), handler)
        if context:
            options = {"server_side": True, "do_handshake_on_connect": False}
            self.socket = context.wrap_socket(self.socket, **options)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()

    def __exit__(self, *_):
        self.close()
