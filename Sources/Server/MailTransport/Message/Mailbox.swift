import AppleIdentity
import Foundation

/// The email address of a sender or recipient, with an optional name.
package struct Mailbox: Hashable, Sendable {
    /// The maximum length of a name, in characters.
    static let maximumNameCharacterCount = 100

    package let name: String?
    package let address: String

    /// Creates a mailbox; throws ``SMTPAddressError`` when the email address is not valid.
    package init(name: String?, address: String) throws(SMTPAddressError) {
        guard EmailAddressForm.isWellFormed(address) else {
            throw SMTPAddressError(
                "is not an email address",
                fix: "write it like no-reply@example.com or Juice <no-reply@example.com>"
            )
        }
        let name = name.map {
            HeaderText.cleaned($0, maximumCharacterCount: Self.maximumNameCharacterCount)
        }
        self.name = name?.isEmpty == true ? nil : name
        self.address = address
    }

    /// Reads `Name <address>` or an email address; throws ``SMTPAddressError`` for any other string.
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

    package var domain: String { address.split(separator: "@").last.map(String.init) ?? "" }

    func headerText(after fieldName: String) -> String {
        guard let name else { return address }
        return HeaderText.mailbox(name, address, after: fieldName)
    }
}
