#if os(Linux)
    import Foundation

    /// Stores records in the desktop's Secret Service (GNOME Keyring, KWallet), through libsecret's `secret-tool`.
    ///
    /// Source: [Secret Service](https://specifications.freedesktop.org/secret-service-spec/latest/)
    public struct SecretServiceCredentialStore: CredentialStore {
        private let service: String
        private let tool: URL

        /// Finds the secret service.
        ///
        /// - Parameters:
        ///   - service: the name under which the records are stored.
        ///   - tool: the path of `secret-tool`.
        /// - Returns: the store; nil if `secret-tool` is not installed, or no secret service responds.
        public static func find(
            service: String,
            tool: URL = URL(filePath: "/usr/bin/secret-tool")
        ) async -> SecretServiceCredentialStore? {
            let path = tool.path(percentEncoded: false)
            guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
            let store = SecretServiceCredentialStore(service: service, tool: tool)
            do throws(CredentialStoreError) {
                _ = try await store.read(.installation)
                return store
            } catch {
                return nil
            }
        }

        private init(service: String, tool: URL) {
            self.service = service
            self.tool = tool
        }

        /// Reads a record, as ``CredentialStore/read(_:)`` says.
        public func read(_ record: CredentialRecord) async throws(CredentialStoreError) -> Data? {
            let result = try await run(["lookup"] + attributes(of: record))
            // The status is 1 without a message if nothing is found, and 1 with a message if no service runs.
            if result.status == 1, result.hasNoComplaint { return nil }
            guard result.status == 0 else {
                throw .failed("secret-tool exited with \(result.status)")
            }
            let text = String(decoding: result.output, as: UTF8.self)
            guard
                let data = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines))
            else { throw .failed("the secret \(record.rawValue) does not belong to this app") }
            return data
        }

        /// Replaces a record, as ``CredentialStore/write(_:to:)`` says.
        public func write(
            _ data: Data,
            to record: CredentialRecord
        ) async throws(CredentialStoreError) {
            guard data.count <= CredentialRecord.maximumByteCount else { throw .tooLarge }
            let label = "--label=\(service) \(record.rawValue)"
            // The secret is sent through standard input, because every user can read a process's arguments.
            let result = try await run(
                ["store", label] + attributes(of: record),
                input: Data(data.base64EncodedString().utf8)
            )
            guard result.status == 0 else {
                throw .failed("secret-tool exited with \(result.status)")
            }
        }

        /// Removes a record, as ``CredentialStore/remove(_:)`` says.
        public func remove(_ record: CredentialRecord) async throws(CredentialStoreError) {
            let result = try await run(["clear"] + attributes(of: record))
            guard result.status == 0 || result.status == 1 && result.hasNoComplaint else {
                throw .failed("secret-tool exited with \(result.status)")
            }
        }

        private func attributes(of record: CredentialRecord) -> [String] {
            ["service", service, "record", record.rawValue]
        }
    }

    extension SecretServiceCredentialStore {
        private struct Ending: Sendable {
            let status: Int32
            let output: Data
            let hasNoComplaint: Bool
        }

        private func run(
            _ arguments: [String],
            input: Data = Data()
        ) async throws(CredentialStoreError) -> Ending {
            let tool = tool
            let ending: Ending? = await withCheckedContinuation { continuation in
                // Waiting for the process must not block the app's tasks.
                DispatchQueue.global().async {
                    continuation.resume(returning: Self.ending(of: tool, arguments, input))
                }
            }
            guard let ending else { throw .failed("secret-tool can't be started") }
            return ending
        }

        private static func ending(of tool: URL, _ arguments: [String], _ input: Data) -> Ending? {
            let process = Process()
            let (source, output, complaints) = (Pipe(), Pipe(), Pipe())
            process.executableURL = tool
            process.arguments = arguments
            process.standardInput = source
            process.standardOutput = output
            process.standardError = complaints
            guard (try? process.run()) != nil else { return nil }
            try? source.fileHandleForWriting.write(contentsOf: input)
            try? source.fileHandleForWriting.close()
            let limit = 2 * CredentialRecord.maximumByteCount
            let read = (try? output.fileHandleForReading.read(upToCount: limit)) ?? Data()
            let words = (try? complaints.fileHandleForReading.read(upToCount: 1)) ?? Data()
            process.waitUntilExit()
            return Ending(
                status: process.terminationStatus,
                output: read,
                hasNoComplaint: words.isEmpty
            )
        }
    }
#endif
