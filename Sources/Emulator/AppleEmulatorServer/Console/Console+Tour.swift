import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// The tour for newcomers: the actions of its four steps, and the recorded results.
extension Console {
    private static let path = "console/tour/"

    var tourRoutes: [ConsoleRoute] {
        [
            tourRoute("sign-in") { _ in try await playSignIn() },
            tourRoute("stop-using") { visit in
                try await emulator.stopUsing(visit["email"], clientID: visit["client_id"])
                return .stoppedUsing
            },
            tourRoute("refuse-secret") { _ in
                _ = try await emulator.addFault(Self.refusedSecret)
                return .secretWillFail
            },
            tourRoute("broken-secret") { _ in try await playBrokenSecret() },
            tourRoute("mail") { _ in
                try await sendTourMail()
                return .mailSent
            },
        ]
    }

    private func tourRoute(
        _ name: String,
        _ perform: @escaping @Sendable (ConsoleVisit) async throws -> ConsoleNotice
    ) -> ConsoleRoute {
        ConsoleRoute(Self.path + name, .overview, page: overview) { visit in
            .done(try await perform(visit), at: ConsoleSection.overview.path)
        }
    }

    private static let invalidClient = OAuthErrorResponse.Code.invalidClient.rawValue

    private func playSignIn() async throws -> ConsoleNotice {
        let isSecretRefused = await emulator.faults().contains(where: Self.refusesSecret)
        switch try await emulator.playSignIn(withBrokenSecret: false) {
        case .signedIn: return .signInPlayed
        case .refused(Self.invalidClient, _) where isSecretRefused: return .secretRefused
        case .refused(_, let words): throw Self.unexpected("\(words), and no tokens")
        }
    }

    private func playBrokenSecret() async throws -> ConsoleNotice {
        switch try await emulator.playSignIn(withBrokenSecret: true) {
        case .refused(Self.invalidClient, _): return .brokenSecretPlayed
        case .refused(_, let words): throw Self.unexpected("\(words), and not invalid_client")
        case .signedIn: throw Self.unexpected("tokens, even though the secret is broken")
        }
    }

    /// The error for a response that a fault or a switch has changed.
    private static func unexpected(_ answer: String) -> ControlRefusal {
        ControlRefusal(
            kind: .conflict,
            message: "the code exchange returned \(answer): clear your settings under Faults, and"
                + " press the button again"
        )
    }

    func tour(_ visit: ConsoleVisit) async throws -> JSONObject {
        let flows = await emulator.flowSnapshots()
        let mail = try await emulator.mail().objects("messages").last { $0["relay_email"] != nil }
        var steps = TourSteps(
            facts: await emulator.tourFacts(),
            isSecretRefused: await emulator.faults().contains(where: Self.refusesSecret),
            drawings: renderer.drawExcerpts(of: flows),
            failure: FlowFailure(latestOf: flows),
            mail: mail.map { TourDrawing($0, renderer) }
        )
        steps.wasShownDone = tourWasShownDone.withLock { wasShown in
            defer { wasShown = steps.isDone }
            return wasShown
        }
        return steps.content(in: visit)
    }

    /// The fault that refuses a client secret as Apple does.
    private static let refusedSecret: JSONObject = [
        "endpoint": .string(ApplePath.token), "status": 400,
        "body": ["error": .string(invalidClient)],
    ]

    private static func refusesSecret(_ fault: JSONObject) -> Bool {
        fault["endpoint"] == refusedSecret["endpoint"] && fault["status"] == refusedSecret["status"]
            && fault["body"] == refusedSecret["body"].map { .string($0.text) }
    }

    private func sendTourMail() async throws {
        let facts = await emulator.tourFacts()
        guard let use = facts.latestHiddenUse, let receiver = use.relayEmail,
            let sender = use.senderEmail
        else {
            throw ControlRefusal(
                kind: .notFound,
                message: "there is no relay address to which a registered source can send mail"
            )
        }
        let lines = [
            "From: \(sender)", "To: \(receiver)", "Subject: A message from the tour", "",
            "Your app sent this to a relay address.", "",
        ]
        let answer = await emulator.receiveMail(
            Data(lines.joined(separator: "\r\n").utf8),
            from: sender,
            to: [receiver]
        )
        guard answer.hasPrefix("250") else {
            let fix = use.isForwarded ? "" : "; turn forwarding on, on the page of \(use.name)"
            throw ControlRefusal(kind: .conflict, message: "the relay refused it: \(answer)\(fix)")
        }
    }
}
