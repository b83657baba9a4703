#if os(macOS) || os(Linux)
    import AppleIdentity
    import Foundation
    import TestSupport
    import Testing

    @testable import SignInKit

    @Suite("The way back by a port of this machine") struct LoopbackBrowserTests {
        private static let address = "https://juice.example.com/sign-in/app?state=s-1"

        private func get(_ url: URL) async throws -> ServerAnswer {
            try await URLSessionTransport().send(ServerRequest(method: "GET", url: url))
        }

        /// Opens a page, and runs a test while the session waits for the way back.
        private func waiting(
            _ body: (_ callback: URL, _ port: Int) async throws -> Void
        ) async throws -> URL {
            let page = try #require(URL(string: Self.address))
            let (opened, signal) = (LockedValue<URL?>(nil), Signal())
            let session = LoopbackBrowserSession(
                openPage: { url in
                    opened.withLock { $0 = url }
                    signal.send()
                },
                time: ManualTime().source
            )
            let callback = try await session.redirectURI()
            #expect(callback.host() == "127.0.0.1" && callback.path() == "/signed-in")
            async let answer = session.open(page, callback: callback)
            await signal.wait()
            #expect(opened.withLock { $0 } == page)
            try await body(callback, try #require(callback.port))
            return try await answer
        }

        private func wayBack(_ callback: URL, state: String = "s-1") -> URL {
            callback.appending(queryItems: [
                URLQueryItem(name: "code", value: "a b"), URLQueryItem(name: "state", value: state),
            ])
        }

        @Test("The browser's request comes back to the app, others are turned away")
        func wayBack() async throws {
            let answer = try await waiting { callback, _ in
                let others = [
                    callback.deletingLastPathComponent().appending(path: "favicon.ico"), callback,
                    callback.appending(path: "more"), wayBack(callback, state: "s-2"),
                ]
                for other in others { #expect(try await get(other).status == 404) }
                let shown = try await get(wayBack(callback))
                #expect(shown.status == 200)
                #expect(String(decoding: shown.body, as: UTF8.self).contains("go back to the app"))
            }
            #expect(answer.query() == "code=a%20b&state=s-1")
        }

        @Test("Requests that are none, too long or never finished do not hold it up")
        func garbage() async throws {
            _ = try await waiting { callback, port in
                var idle = [try RawConnection(port: port)]
                idle[0].send("GET /signed-in?state=s-1 HTTP/1.1\r\n")
                let garbage = ["\u{0}\u{1}", "GET", "GET signed-in HTTP/1.1", "GET / HTTP/1.1 x"]
                let answered = garbage + ["POST /signed-in?code=c&state=s-1 HTTP/1.1"]
                for text in answered {
                    let connection = try RawConnection(port: port)
                    connection.send(text + "\r\n\r\n")
                    #expect(connection.answer().hasPrefix("HTTP/1.1 404 "))
                }
                let endless = try RawConnection(port: port)
                let head = LoopbackListener.maximumHeadByteCount
                endless.send("GET /" + String(repeating: "x", count: head))
                #expect(endless.answer().isEmpty)
                for _ in 0..<(2 * LoopbackListener.maximumConnectionCount) {
                    idle.append(try RawConnection(port: port))
                }
                #expect(idle[0].answer().isEmpty)
                #expect(try await get(wayBack(callback)).status == 200)
            }
        }

        @Test("It ends when the time is up, and when the task is cancelled")
        func ends() async throws {
            let page = try #require(URL(string: Self.address))
            let time = ManualTime()
            let session = LoopbackBrowserSession(openPage: { _ in }, time: time.source)
            let callback = try await session.redirectURI()
            let late = Task { try await session.open(page, callback: callback) }
            try await waitUntil { time.sleeperCount > 0 }
            time.advance(bySeconds: 601)
            await #expect(throws: AuthorizationFailure(.canceled)) { try await late.value }
            let again = try await session.redirectURI()
            let task = Task { try await session.open(page, callback: again) }
            task.cancel()
            await #expect(throws: AuthorizationFailure(.canceled)) { try await task.value }
        }

        @Test("The system's command gets the address; one that fails or is not there is an error")
        func command() async throws {
            let url = try #require(URL(string: Self.address + "&x=$(id)"))
            let folder = try makeTemporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let (script, seen) = (folder.appending(path: "open"), folder.appending(path: "seen"))
            try "#!/bin/sh\nprintf %s \"$1\" > '\(seen.path())'\n"
                .write(to: script, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700],
                ofItemAtPath: script.path()
            )
            try await LoopbackBrowserSession.open(url, with: script)
            #expect(try String(contentsOf: seen, encoding: .utf8) == url.absoluteString)
            for command in ["/usr/bin/false", folder.appending(path: "none").path()] {
                await #expect(throws: (any Error).self) {
                    try await LoopbackBrowserSession.open(url, with: URL(filePath: command))
                }
            }
        }
    }
#endif
