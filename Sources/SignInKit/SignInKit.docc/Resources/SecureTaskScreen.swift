import SignInKit
import SwiftUI

/// Shows a secret, to nobody but the person who is signed in: the state of their consent is asked for first.
struct SecureTaskScreen: View {
    let client: SignInClient
    @State private var secret: String?
    @State private var failure: String?
    @State private var requiresFreshSignIn = false

    var body: some View {
        Form {
            Section {
                Toggle("Ask for a fresh sign-in", isOn: $requiresFreshSignIn)
                Button("Show the Secret") {
                    Task { await show() }
                }
            } footer: {
                if let failure { Text(failure).foregroundStyle(.red) }
            }
            if let secret { Text(secret) }
        }
        .formStyle(.grouped)
        .onDisappear { secret = nil }
    }

    private func show() async {
        secret = nil
        failure = nil
        do {
            secret = try await client.performSecureTask(
                requiresFreshSignIn: requiresFreshSignIn
            ) {
                "The recipe: six oranges, one lime, no sugar."
            }
        } catch let error as SignInKitError {
            failure = error.isSilent ? nil : error.message
        } catch {
            // The person stopped using the app meanwhile: the gate tells them.
        }
    }
}
