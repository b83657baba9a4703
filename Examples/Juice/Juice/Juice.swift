import Foundation
import SignInKit
import SignInKitUI

/// The client of this app, set up as Info.plist says, and what its screens watch.
@MainActor final class Juice {
    let client: SignInClient
    let model: SignInModel

    init() {
        client = SignInClient(
            // Without an address every sign-in says that the app is not set up.
            configuration: SignInConfiguration(
                server: Self.address("JuiceServer") ?? URL(filePath: "/")
            ),
            authorization: Self.authorization,
            credentials: KeychainCredentialStore(service: "com.example.juice"),
            transport: URLSessionTransport()
        )
        model = SignInModel(client: client)
    }

    /// Apple's own sheet, or the emulated Apple where Info.plist names one.
    private static var authorization: any AuthorizationService {
        guard let emulator = address("JuiceEmulator") else {
            return SystemAuthorization(anchor: { KeyWindow.anchor })
        }
        return EmulatorAuthorization(
            control: emulator,
            app: "com.example.juice",
            email: "maya@example.com"
        )
    }

    private static func address(_ name: String) -> URL? {
        let text = Bundle.main.object(forInfoDictionaryKey: name) as? String
        return text.flatMap { URL(string: $0) }
    }
}
