import AppleIdentity
import CCurl

/// The connections of a transport; each is kept after a message for the next one.
final class SMTPConnections: Sendable {
    /// The addresses of libcurl's handles, because tasks do not share pointers.
    private let idle = LockedValue<[UInt]>([])

    private static let isLibraryReady = siwa_curl_start() == CURLE_OK

    deinit { close() }

    /// Runs a conversation, on a kept connection if there is one, and blocks the thread until it ends.
    func run(_ conversation: SMTPConversation) -> Result<Void, SMTPFailure> {
        let address = idle.withLock { $0.popLast() }
        if let handle = address.flatMap(UnsafeMutableRawPointer.init(bitPattern:)) {
            let result = run(conversation, on: handle)
            guard case .failure(let failure) = result, failure.mayBeOfConnection else {
                return result
            }
        }
        guard Self.isLibraryReady, let handle = curl_easy_init() else {
            return .failure(SMTPFailure("smtp_failed", hint: "libcurl failed to initialize"))
        }
        return run(conversation, on: handle)
    }

    private func run(
        _ conversation: SMTPConversation,
        on handle: UnsafeMutableRawPointer
    ) -> Result<Void, SMTPFailure> {
        let result = conversation.run(on: handle)
        switch result {
        case .success where conversation.envelope != nil:
            idle.withLock { $0.append(UInt(bitPattern: handle)) }
        case .success: Self.close(handle, wentWell: true)
        case .failure: Self.close(handle, wentWell: false)
        }
        return result
    }

    /// Ends the kept connections.
    func close() {
        let addresses = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for handle in addresses.compactMap(UnsafeMutableRawPointer.init(bitPattern:)) {
            Self.close(handle, wentWell: true)
        }
    }

    private static func close(_ handle: UnsafeMutableRawPointer, wentWell: Bool) {
        siwa_curl_expect_nothing(handle, wentWell ? 1 : 0)
        curl_easy_cleanup(handle)
    }
}
