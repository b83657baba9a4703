import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple

/// The cookies that bind ceremonies to the browser that began them, one for each tab.
///
/// The callback is a POST from another site, which takes no cookies along but those of
/// `SameSite=None`.
package struct CeremonyCookies<Note: Codable & Sendable>: Sendable {
    private let sealer: TokenSealer

    package init(sealer: TokenSealer) {
        self.sealer = sealer
    }

    /// The field that starts a ceremony, or keeps it for longer.
    package func field(
        _ ceremony: Ceremony<Note>,
        lifetime: Int = CeremonyLimits.lifetime
    ) throws -> HTTPField {
        let sealed = try sealer.seal(
            try JSONEncoder().encode(ceremony),
            for: Self.context(ceremony.state.name)
        )
        return Self.field(ceremony.state.name, sealed, lifetime: lifetime)
    }

    /// The field that ends a ceremony.
    package static func cleared(_ ceremony: Ceremony<Note>) -> HTTPField {
        field(ceremony.state.name, "", lifetime: 0)
    }

    /// Finds the ceremony that a state belongs to.
    ///
    /// - Throws: `expired` or `foreign`; neither changes anything.
    package func ceremony(
        for state: CeremonyState,
        in request: Request,
        now: Date,
        lifetime: Int = CeremonyLimits.lifetime
    ) throws(CeremonyRefusal) -> Ceremony<Note> {
        let isExpired = state.isExpired(now: now, lifetime: lifetime)
        guard let sealed = request.cookies[CeremonyLimits.cookiePrefix + state.name]?.value else {
            // Browsers drop the cookie when its time is over.
            throw isExpired ? .expired : .foreign
        }
        guard
            let data = try? sealer.open(sealed, for: Self.context(state.name)),
            let ceremony = try? JSONDecoder().decode(Ceremony<Note>.self, from: data),
            ceremony.state.matches(state)
        else { throw .foreign }
        guard !isExpired else { throw .expired }
        return ceremony
    }

    /// Ends the ceremonies that a browser has too many of, so that its cookies stay few.
    package func surplus(in request: Request) -> [HTTPField] {
        let prefix = CeremonyLimits.cookiePrefix
        let names = request.headers[values: .cookie]
            .flatMap { $0.split(separator: ";") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix(prefix) }
            .compactMap { $0.dropFirst(prefix.count).split(separator: "=").first }
            .filter { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil }
        // Browsers send older cookies first.
        return names.dropLast(CeremonyLimits.maximumCount - 1)
            .map { Self.field(String($0), "", lifetime: 0) }
    }

    private static func context(_ name: String) -> SealingContext {
        SealingContext(purpose: "ceremony", parts: [name])
    }

    private static func field(_ name: String, _ value: String, lifetime: Int) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(CeremonyLimits.cookiePrefix)\(name)=\(value); Max-Age=\(lifetime); Path=/; "
                + "Secure; HttpOnly; SameSite=None"
        )
    }
}
