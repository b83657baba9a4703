// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import SignInKit
import SignInKitUI
import SwiftUI

@main struct JuiceMain: App {
    @State private var state = SignInState.signedOut
    private let client = SignInClient(
        configuration: SignInConfiguration(server: URL(string: "http://localhost:8080")!),
        authorization: EmulatorAuthorization(
            control: URL(string: "http://localhost:8082")!,
            app: "com.example.juice",
            email: "maya@example.com"
        ),
        credentials: KeychainCredentialStore(service: "com.example.juice"),
        transport: URLSessionTransport()
    )

    var body: some Scene {
        WindowGroup {
            VStack {
                if case .signedIn(let person) = state {
                    Text("Hello, \(person.account.name ?? "you")!")
                    Button("Sign Out") { Task { await client.signOut() } }
                } else {
                    AppleSignInButton { Task { try? await client.signInWithApple() } }
                }
            }
            .task {
                await client.start()
                for await state in client.states { self.state = state }
            }
        }
    }
}
