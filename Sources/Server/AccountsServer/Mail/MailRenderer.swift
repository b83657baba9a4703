import Accounts
import AppleIdentity
import Foundation
import HTMLPages
import MailTransport
import Mustache
import SignInWithApple

/// Renders emails in the user's language, as plain text and HTML.
package struct MailRenderer: Sendable {
    /// The maximum length of a device's name, in characters.
    private static let maximumDeviceCharacterCount = 60

    private let appName: String
    private let accent: AccentColors
    private let origin: WebOrigin
    private let sender: Mailbox
    private let texts: [PageLanguage: PageText]
    private let text: MustacheTemplate
    private let pages: MustacheLibrary

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - appName: the app's name, for texts and for a sender without a name.
    ///   - accent: the color of buttons.
    ///   - origin: the origin of the links.
    ///   - sender: the sender of the emails.
    /// - Throws: when a template or the texts of a language cannot be read.
    package init(
        appName: String,
        accent: AccentColors = .standard,
        origin: WebOrigin,
        sender: Mailbox
    ) throws {
        self.appName = appName
        self.accent = accent
        self.origin = origin
        self.sender = try Mailbox(name: sender.name ?? appName, address: sender.address)
        texts = Dictionary(
            uniqueKeysWithValues: try PageLanguage.words(\.pageFile).map {
                ($0, PageText($0, $1, appName: appName))
            }
        )
        // The plain text must not contain HTML escapes.
        text = try MustacheTemplate(
            string: "{{% CONTENT_TYPE:TEXT}}"
                + String(decoding: PackageResources.mailText_mustache, as: UTF8.self)
        )
        pages = try MustacheLibrary(pages: ["mail": PackageResources.mail_mustache])
    }

    /// Renders an order, always in the same way; throws `SMTPAddressError` for an invalid address.
    package func message(_ order: MailOrder, id: OutboxID) throws(SMTPAddressError) -> MailMessage {
        let language = PageLanguage(preferredBy: order.language)
        // A stranger may have entered the address, so the email contains no text of theirs.
        let name = order.kind == .verification ? nil : order.name
        let recipient = try Mailbox(name: name, address: order.address)
        let content = texts[language].map { self.content(of: order, to: recipient, $0) } ?? [:]
        return MailMessage(
            from: sender,
            to: recipient,
            subject: content["subject"] as? String ?? appName,
            text: text.render(content),
            html: pages.render(content, withTemplate: "mail") ?? "",
            language: language.tag,
            date: order.occurredAt,
            identifier: id.rawValue
        )
    }

    private func content(
        of order: MailOrder,
        to recipient: Mailbox,
        _ text: PageText
    ) -> [String: Any] {
        let greeting = recipient.name.map { text.text("mail.greetingTo", ["name": $0]) }
        var content: [String: Any] = [
            "language": text.language.tag,
            "app": appName,
            "accent": accent.light.text,
            "accentText": accent.lightText.text,
            "darkAccent": accent.dark.text,
            "darkAccentText": accent.darkText.text,
            "greeting": greeting ?? text["mail.greeting"],
            "facts": facts(of: order, text),
            "footer": text.text("mail.footer", ["host": origin.site.host]),
        ]
        content["direction"] = text.language.direction
        for part in ["Subject", "Heading", "Lead", "Advice"] {
            content[part.lowercased()] = text["mail.\(order.kind.rawValue)\(part)"]
        }
        if order.undoesChange { content["advice"] = text["mail.undoAdvice"] }
        if order.appleLinkRemains { content["appleLink"] = text["mail.appleLinkRemains"] }
        if let date = order.appleLinkedAt {
            let values = ["time": text.language.moment(date)]
            content["appleLink"] = text.text("mail.passwordChangedApple", values)
        }
        if let address = link(of: order) {
            content["link"] = [
                "address": address, "button": text[button(of: order)],
                "linkHint": text["mail.linkHint"],
            ]
        }
        if order.linkToken != nil {
            let end = text.language.moment(order.expiresAt)
            content["validity"] = text.text("mail.validity", ["time": end])
        }
        return content
    }

    private func button(of order: MailOrder) -> String {
        order.undoesChange ? "mail.undoButton" : "mail.\(order.kind.rawValue)Button"
    }

    private func facts(of order: MailOrder, _ text: PageText) -> [[String: String]] {
        let time = text.language.moment(order.occurredAt)
        var facts = [["label": text["mail.timeLabel"], "value": time]]
        if let device = order.device, order.kind != .verification {
            let name = Self.shown(
                order.kind == .passwordReset
                    ? DeviceDescription.strangersText(of: device, in: text)
                    : DeviceDescription.text(of: device, in: text)
            )
            if !name.isEmpty { facts.append(["label": text["mail.deviceLabel"], "value": name]) }
        }
        return facts
    }

    /// Returns a device's name without links, because the client chose the name.
    private static func shown(_ device: String) -> String {
        let words = device.replacing(/[^\p{L}\p{N} .,;()_\/-]|\.(?=\p{L})|\/(?=\/)/, with: " ")
            .split(separator: " ").joined(separator: " ")
        return String(words.prefix(maximumDeviceCharacterCount))
    }

    private func link(of order: MailOrder) -> String? {
        if order.undoesChange { return link(WebPath.undoChange, order.linkToken) }
        return switch order.kind {
        case .verification: link("/verify-email", order.linkToken)
        case .passwordReset: link("/reset-password", order.linkToken)
        case .newSignIn, .passwordChanged, .passwordRemoved, .appleLinked, .appleUnlinked,
            .emailChangeRequested, .emailChanged:
            origin.serialized + WebPath.account
        case .accountDeleted: nil
        }
    }

    private func link(_ path: String, _ token: String?) -> String {
        "\(origin.serialized)\(path)?token=\(token?.percentEncoded ?? "")"
    }
}
