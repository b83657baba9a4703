import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// The tour for newcomers: the actions of its four steps, and the recorded results.
extension Console {
    private static let path = "console/tour/"

    var tourRoutes: [ConsoleRoute] {
        [
            tourRoute("sign-in") { try await playSignIn($0) },
            tourRoute("stop-using") { visit in
                try await visit.emulator.stopUsing(
                    visit["email"],
                    clientID: ClientID(visit["client_id"])
                )
                return .stoppedUsing
            },
            tourRoute("refuse-secret") { visit in
                _ = try await visit.emulator.addFault(Self.refusedSecret)
                return .secretWillFail
            },
            tourRoute("broken-secret") { try await playBrokenSecret($0) },
            tourRoute("mail") { visit in
                try await sendTourMail(visit)
                return .mailSent
            },
            tourRoute("hide") { visit in
                visit.world.tourIsHidden.withLock { $0 = true }
                return .tourHidden
            },
            tourRoute("show") { visit in
                visit.world.tourIsHidden.withLock { $0 = false }
                return .tourShown
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

    static let hideTourForm = ConsoleForm("hide-tour", to: "/console/tour/hide", "Hide")
        .sending([], spoken: "Hide the tour")
    static let showTourForm = ConsoleForm("show-tour", to: "/console/tour/show", "Show the tour")

    private static let invalidClient = OAuthErrorResponse.Code.invalidClient.rawValue

    private func playSignIn(_ visit: ConsoleVisit) async throws -> ConsoleNotice {
        let isSecretRefused = await visit.emulator.faults().contains(where: Self.refusesSecret)
        switch try await visit.emulator.playSignIn(withBrokenSecret: false) {
        case .signedIn: return .signInPlayed
        case .refused(Self.invalidClient, _) where isSecretRefused: return .secretRefused
        case .refused(_, let words): throw Self.unexpected("\(words), and no tokens")
        }
    }

    private func playBrokenSecret(_ visit: ConsoleVisit) async throws -> ConsoleNotice {
        switch try await visit.emulator.playSignIn(withBrokenSecret: true) {
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
        let flows = await visit.emulator.flowSnapshots().filter { !$0.isOfCheck }
        let mail = try await visit.emulator.mail().objects("messages").last {
            $0["relay_email"] != nil
        }
        var steps = TourSteps(
            facts: await visit.emulator.tourFacts(),
            isSecretRefused: await visit.emulator.faults().contains(where: Self.refusesSecret),
            drawings: renderer.drawExcerpts(of: flows),
            failure: FlowFailure(latestOf: flows),
            mail: mail.map { TourDrawing($0, renderer) }
        )
        steps.wasShownDone = visit.world.tourWasShownDone.withLock { wasShown in
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

    private func sendTourMail(_ visit: ConsoleVisit) async throws {
        let facts = await visit.emulator.tourFacts()
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
        let answer = await visit.emulator.receiveMail(
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
