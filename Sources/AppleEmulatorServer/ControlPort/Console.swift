import AppleEmulator
import AppleIdentity
import Foundation

/// The index page of the control port.
struct Console {
    /// How many of the last requests it shows.
    static let requestCountMax = 50

    private let emulator: AppleEmulator
    private let renderer: SheetRenderer
    private let addresses: @Sendable () -> EmulatorAddresses?

    /// - Throws: when an embedded template cannot be read.
    init(
        emulator: AppleEmulator,
        addresses: @escaping @Sendable () -> EmulatorAddresses?
    ) throws {
        self.emulator = emulator
        self.addresses = addresses
        renderer = try SheetRenderer()
    }

    func answer() async -> ControlAnswer {
        let state = await emulator.state()
        let requests = await emulator.requests()
        let page = ConsolePage(
            appleURL: addresses()?.apple.absoluteString ?? "",
            clock: state["now"]?.stringValue ?? "",
            people: Self.objects(state, "people").map(Self.person),
            clients: Self.objects(state, "apps").map(Self.app)
                + Self.objects(state, "services").map(Self.service),
            requests: requests.suffix(Self.requestCountMax).reversed().map(Self.request)
        )
        return .page(renderer.render(page), PageSecurity.sheetFields)
    }

    private static func objects(_ state: JSONObject, _ section: String) -> [JSONObject] {
        (state[section]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    private static func person(_ object: JSONObject) -> ConsolePage.Person {
        let name = PersonName(
            givenName: object["given_name"]?.stringValue,
            familyName: object["family_name"]?.stringValue
        )
        return ConsolePage.Person(
            email: text(object, "email"),
            name: name.displayName,
            usesTwoFactor: object["two_factor"]?.booleanValue ?? false
        )
    }

    private static func app(_ object: JSONObject) -> ConsolePage.Client {
        ConsolePage.Client(
            clientID: text(object, "client_id"),
            kind: "App",
            name: text(object, "name"),
            owner: text(object, "team_id"),
            returnURLs: []
        )
    }

    private static func service(_ object: JSONObject) -> ConsolePage.Client {
        ConsolePage.Client(
            clientID: text(object, "client_id"),
            kind: "Services ID",
            name: text(object, "name"),
            owner: text(object, "primary_client_id"),
            returnURLs: (object["return_urls"]?.arrayValue ?? []).compactMap(\.stringValue)
        )
    }

    private static func request(_ object: JSONObject) -> ConsolePage.LoggedRequest {
        let sentences = [text(object, "reason"), text(object, "hint")].filter { !$0.isEmpty }
        return ConsolePage.LoggedRequest(
            number: object["number"]?.integerValue ?? 0,
            method: text(object, "method"),
            path: text(object, "path"),
            status: object["status"]?.integerValue,
            clientID: text(object, "client_id"),
            reason: sentences.joined(separator: " ")
        )
    }

    private static func text(_ object: JSONObject, _ name: String) -> String {
        object[name]?.stringValue ?? ""
    }
}
