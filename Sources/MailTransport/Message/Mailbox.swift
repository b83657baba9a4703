import AppleIdentity
import Foundation

/// An address that mail comes from or goes to, and whose it is.
package struct Mailbox: Hashable, Sendable {
    /// How long a name may be, in characters.
    static let maximumNameCharacterCount = 100

    /// Whose it is; nil when nobody is named.
    package let name: String?
    package let address: String

    /// Makes a mailbox; throws ``SMTPAddressError`` when it is no address that mail can be sent to.
    package init(name: String?, address: String) throws(SMTPAddressError) {
        guard EmailAddressForm.isWellFormed(address) else {
            throw SMTPAddressError(
                "is not an e-mail address",
                fix: "write it like no-reply@example.com or Juice <no-reply@example.com>"
            )
        }
        let name = name.map {
            HeaderText.cleaned($0, maximumCharacterCount: Self.maximumNameCharacterCount)
        }
        self.name = name?.isEmpty == true ? nil : name
        self.address = address
    }

    /// Reads a mailbox as people write it; throws ``SMTPAddressError`` when it is neither.
    package init(_ text: String) throws(SMTPAddressError) {
        guard let open = text.lastIndex(of: "<"), text.hasSuffix(">") else {
            try self.init(name: nil, address: text)
            return
        }
        let name = text[..<open].trimmingCharacters(in: .whitespaces)
        let isQuoted = name.count >= 2 && name.hasPrefix("\"") && name.hasSuffix("\"")
        try self.init(
            name: isQuoted ? String(name.dropFirst().dropLast()) : name,
            address: String(text[text.index(after: open)...].dropLast())
        )
    }

    /// What stands behind the `@`.
    package var domain: String { address.split(separator: "@").last.map(String.init) ?? "" }

    func headerText(after fieldName: String) -> String {
        guard let name else { return address }
        return HeaderText.mailbox(name, address, after: fieldName)
    }
}
