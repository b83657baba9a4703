import Foundation
import JuiceApp
import SignInKit
import SignInKitUI

/// The app's model, on a client that is set up as Info.plist says.
@MainActor enum Juice {
    static func makeModel() -> JuiceModel {
        let client = SignInClient(
            // Without an address every sign-in says that the app is not set up.
            configuration: SignInConfiguration(
                server: address("JuiceServer") ?? URL(filePath: "/")
            ),
            authorization: authorization,
            credentials: KeychainCredentialStore(service: "com.example.juice"),
            transport: URLSessionTransport()
        )
        return JuiceModel(client: client)
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
