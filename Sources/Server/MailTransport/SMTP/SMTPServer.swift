import AppleIdentity
import Foundation

/// A server for outgoing mail, with its encryption and credentials.
package struct SMTPServer: Hashable, Sendable {
    package enum Security: Hashable, Sendable {
        /// TLS from the first byte.
        case tls
        /// STARTTLS before authentication; a server without it is refused.
        case startTLS
        /// No encryption, because the server is on this machine or the URL has `tls=off`.
        case none
    }

    /// The user and password for authentication.
    struct Credentials: Hashable, Sendable {
        let user: String
        let password: String
    }

    /// The maximum length of the user and of the password, in bytes.
    static let maximumCredentialByteCount = 512
    private static let example = "smtps://user:password@mail.example.com"
    private static let withoutTLS = "tls=off"

    /// The host, an IPv6 address in brackets.
    package let host: String
    package let port: Int
    package let security: Security
    let credentials: Credentials?

    /// Reads a mail server URL; throws ``SMTPAddressError``, which never contains the password.
    package init(_ text: String) throws(SMTPAddressError) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            let host = url.host?.lowercased(), !host.isEmpty, ["smtp", "smtps"].contains(scheme)
        else {
            throw SMTPAddressError(
                "is not a mail server URL",
                fix:
                    "write it like \(Self.example), with @, : and / in user and password percent-encoded"
            )
        }
        guard ["", "/"].contains(url.path), [nil, Self.withoutTLS].contains(url.query),
            url.fragment == nil
        else {
            throw SMTPAddressError(
                "must contain only user, password, host and port",
                fix: "write it like \(Self.example)"
            )
        }
        guard url.port.map((1...65_535).contains) ?? true else {
            throw SMTPAddressError(
                "has no port from 1 to 65535",
                fix: "the usual ports are 587, and 465 for smtps"
            )
        }
        self.host = host
        port = url.port ?? (scheme == "smtps" ? 465 : 587)
        let isPlain = url.query == Self.withoutTLS
        guard !isPlain || (scheme == "smtp" && url.user == nil && url.password == nil) else {
            throw SMTPAddressError(
                "has \(Self.withoutTLS) with smtps, or with a password, which would be sent unencrypted",
                fix: "remove ?\(Self.withoutTLS), or write smtp://host:port?\(Self.withoutTLS)"
            )
        }
        let needsNoTLS = isPlain || LoopbackHost.contains(host)
        security = scheme == "smtps" ? .tls : needsNoTLS ? .none : .startTLS
        credentials = try Self.credentials(in: url)
    }

    private static func credentials(
        in url: URLComponents
    ) throws(SMTPAddressError) -> Credentials? {
        guard url.user != nil || url.password != nil else { return nil }
        guard let user = url.user, let password = url.password, !user.isEmpty, !password.isEmpty
        else {
            throw SMTPAddressError(
                "has a user without a password, or a password without a user",
                fix: "write both, like \(example), or neither"
            )
        }
        for text in [user, password] {
            let isPrintable = text.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.value != 0x7F
            }
            guard isPrintable, text.utf8.count <= maximumCredentialByteCount else {
                throw SMTPAddressError(
                    "has a user or password with control characters, or of more than "
                        + "\(maximumCredentialByteCount) bytes",
                    fix: "percent-encode exactly what the provider gave you"
                )
            }
        }
        return Credentials(user: user, password: password)
    }

    /// The URL for libcurl, which sends the path as the name in the EHLO command.
    func url(greetingAs name: String) -> String {
        "\(security == .tls ? "smtps" : "smtp")://\(host):\(port)/\(name)"
    }
}

extension SMTPServer: CustomStringConvertible, CustomReflectable {
    /// Host and port only, because a log must not show the password.
    package var description: String { "\(host):\(port)" }

    /// Host and port only, because a dump must not show the password.
    package var customMirror: Mirror {
        Mirror(self, children: ["host": host, "port": "\(port)"])
    }
}

/// Why a string is not a mail server URL, or not an email address.
package struct SMTPAddressError: Error, Hashable, Sendable {
    /// The error, in lower case; it never contains the password.
    package let message: String
    package let fix: String

    init(_ message: String, fix: String) {
        self.message = message
        self.fix = fix
    }
}
