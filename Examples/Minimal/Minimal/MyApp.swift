import SignInKit
import SignInKitUI
import SwiftUI

@main struct MyApp: App {
    @State private var session = SignInSession(server: "https://accounts.example.com")

    var body: some Scene {
        WindowGroup {
            if session.person != nil { AccountView(session) } else { SignInView(session) }
        }
    }
}
