import Accounts
import Foundation
import HTTPTypes
import Hummingbird

/// The cookies that bind ceremonies to the browser that began them, one for each tab.
///
/// The callback is a POST from another site, which takes no cookies along but those of
/// `SameSite=None`.
struct CeremonyCookies: Sendable {
    private static let prefix = "__Host-siwa-ceremony-"

    let sealer: TokenSealer

    /// The field that starts a ceremony, or keeps it for longer.
    func field(
        _ ceremony: Ceremony,
        lifetime: Int = ServerLimits.ceremonyLifetime
    ) throws -> HTTPField {
        let sealed = try sealer.seal(
            try JSONEncoder().encode(ceremony),
            for: Self.context(ceremony.state.name)
        )
        return Self.field(ceremony.state.name, sealed, lifetime: lifetime)
    }

    /// The field that ends a ceremony.
    static func cleared(_ name: String) -> HTTPField {
        field(name, "", lifetime: 0)
    }

    /// Finds the ceremony that a state belongs to.
    ///
    /// - Throws: `state_expired` or `state_foreign`; neither changes anything.
    func ceremony(
        for state: CeremonyState,
        in request: Request,
        now: Date,
        lifetime: Int
    ) throws -> Ceremony {
        let isExpired = state.isExpired(now: now, lifetime: lifetime)
        guard let sealed = request.cookies[Self.prefix + state.name]?.value else {
            // Browsers drop the cookie when its time is over.
            throw isExpired ? ServerError.stateExpired : .stateForeign
        }
        guard
            let data = try? sealer.open(sealed, for: Self.context(state.name)),
            let ceremony = try? JSONDecoder().decode(Ceremony.self, from: data),
            ceremony.state.matches(state)
        else { throw ServerError.stateForeign }
        guard !isExpired else { throw ServerError.stateExpired }
        return ceremony
    }

    /// Ends the ceremonies that a browser has too many of, so that its cookies stay few.
    func surplus(in request: Request) -> [HTTPField] {
        let names = request.headers[values: .cookie]
            .flatMap { $0.split(separator: ";") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix(Self.prefix) }
            .compactMap { $0.dropFirst(Self.prefix.count).split(separator: "=").first }
            .filter { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil }
        // Browsers send older cookies first.
        return names.dropLast(ServerLimits.ceremonyCountMax - 1).map { Self.cleared(String($0)) }
    }

    private static func context(_ name: String) -> SealingContext {
        SealingContext(purpose: "ceremony", parts: [name])
    }

    private static func field(_ name: String, _ value: String, lifetime: Int) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(prefix)\(name)=\(value); Max-Age=\(lifetime); Path=/; Secure; HttpOnly; "
                + "SameSite=None"
        )
    }
}
