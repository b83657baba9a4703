import Foundation
import NIOCore
import NIOPosix

/// Why a connection failed, in words: NIO's own texts contain addresses and nested errors.
package enum ConnectionFailure {
    /// The reason; nil for other errors, whose texts could repeat what was sent.
    package static func words(for error: any Error) -> String? {
        switch error {
        case let error as NIOConnectionError:
            guard let last = error.connectionErrors.last?.error else {
                return "the host name \(error.host) was not found"
            }
            return words(for: last) ?? "no connection was made in time"
        case let error as IOError where error.errnoCode == ECONNREFUSED:
            return "nothing listens there"
        case let error as IOError: return String(cString: strerror(error.errnoCode))
        default: return nil
        }
    }
}
