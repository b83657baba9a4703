// swift-format-ignore-file: NeverForceUnwrap

import JuiceApp
import SignInKit
import SignInKitUI
import SwiftUI

@main struct JuiceMain: App {
    @State private var model = JuiceModel(
        client: SignInClient(
            configuration: SignInConfiguration(server: URL(string: "http://localhost:8080")!),
            authorization: EmulatorAuthorization(
                control: URL(string: "http://localhost:8082")!,
                app: "com.example.juice",
                email: "maya@example.com"
            ),
            credentials: KeychainCredentialStore(service: "com.example.juice"),
            transport: URLSessionTransport()
        )
    )

    var body: some Scene {
        WindowGroup { JuiceScreens(model: model) }
    }
}
