#if os(Linux)
    import Foundation
    import SignInKit
    import TestSupport
    import Testing

    /// A shell script stands for `secret-tool`: it has its commands, and the endings that the real one was seen to have.
    @Suite("Records in the secret service") struct SecretServiceCredentialStoreTests {
        private static let script = """
            #!/bin/sh
            cd "$(dirname "$0")" || exit 2
            command="$1"; shift
            case "$1" in --label=*) shift;; esac
            file="$2-$4"
            case "$command" in
            store) cat > "$file";;
            lookup) [ -f "$file" ] || exit 1; cat "$file";;
            clear) [ -f "$file" ] || exit 1; rm "$file";;
            esac
            """

        private func withTool(_ script: String, _ body: (URL) async throws -> Void) async throws {
            let folder = try makeTemporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let tool = folder.appending(path: "secret-tool")
            try script.write(to: tool, atomically: true, encoding: .utf8)
            let path = tool.path(percentEncoded: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            try await body(tool)
        }

        @Test("A record is read as it was written, and removed") func write() async throws {
            try await withTool(Self.script) { tool in
                let found = await SecretServiceCredentialStore.find(service: "juice", tool: tool)
                let store = try #require(found)
                #expect(try await store.read(.session) == nil)
                let data = Data(
                    (0..<CredentialRecord.maximumByteCount).map { UInt8(truncatingIfNeeded: $0) }
                )
                try await store.write(data, to: .session)
                #expect(try await store.read(.session) == data)
                #expect(try await store.read(.profile) == nil)
                try await store.remove(.session)
                try await store.remove(.session)
                #expect(try await store.read(.session) == nil)
                await #expect(throws: CredentialStoreError.tooLarge) {
                    try await store.write(data + [1], to: .session)
                }
            }
        }

        @Test("It is not offered where no service answers, or the tool is missing")
        func absent() async throws {
            let complaining = "#!/bin/sh\necho 'secret-tool: no D-Bus' >&2\nexit 1\n"
            try await withTool(complaining) { tool in
                #expect(
                    await SecretServiceCredentialStore.find(service: "juice", tool: tool) == nil
                )
            }
            let missing = URL(filePath: "/nonexistent/secret-tool")
            #expect(await SecretServiceCredentialStore.find(service: "juice", tool: missing) == nil)
        }
    }
#endif
