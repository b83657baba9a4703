import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// A newcomer's way through the emulator: what its four steps do, and what it has seen of each.
extension Console {
    private static let path = "console/tour/"

    var tourRoutes: [ConsoleRoute] {
        [
            tourRoute("sign-in", .signInPlayed) { _ in
                try await emulator.playSignIn(withBrokenSecret: false)
            },
            tourRoute("stop-using", .stoppedUsing) { visit in
                try await emulator.stopUsing(visit["email"], clientID: visit["client_id"])
            },
            tourRoute("refuse-secret", .secretWillFail) { _ in
                _ = try await emulator.addFault(Self.refusedSecret)
            },
            tourRoute("broken-secret", .brokenSecretPlayed) { _ in
                try await emulator.playSignIn(withBrokenSecret: true)
            },
            tourRoute("mail", .mailSent) { _ in try await sendTourMail() },
        ]
    }

    private func tourRoute(
        _ name: String,
        _ notice: ConsoleNotice,
        _ perform: @escaping @Sendable (ConsoleVisit) async throws -> Void
    ) -> ConsoleRoute {
        ConsoleRoute(Self.path + name, .overview, page: overview) { visit in
            try await perform(visit)
            return .done(notice, at: ConsoleSection.overview.path)
        }
    }

    /// What the overview shows of the tour.
    func tour(_ visit: ConsoleVisit) async throws -> JSONObject {
        let drawings = renderer.drawExcerpts(of: await emulator.flowSnapshots())
        let mail = try await emulator.mail().objects("messages").last { $0["relay_email"] != nil }
        let steps = TourSteps(
            facts: await emulator.tourFacts(),
            isSecretRefused: await emulator.faults().contains(where: Self.refusesSecret),
            drawings: drawings,
            mail: mail.map { TourDrawing($0, renderer) }
        )
        return steps.content(in: visit)
    }

    /// Apple's answer to a client secret that it does not accept.
    private static let refusedSecret: JSONObject = [
        "endpoint": .string(ApplePath.token), "status": 400,
        "body": ["error": .string(OAuthErrorResponse.Code.invalidClient.rawValue)],
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
                message: "there is no relay address that a registered source can write to"
            )
        }
        let lines = [
            "From: \(sender)", "To: \(receiver)", "Subject: A mail of the tour", "",
            "Your app sent this to a relay address.", "",
        ]
        let answer = await emulator.receiveMail(
            Data(lines.joined(separator: "\r\n").utf8),
            from: sender,
            to: [receiver]
        )
        guard answer.hasPrefix("250") else {
            throw ControlRefusal(kind: .conflict, message: "Apple refused the mail: \(answer)")
        }
    }
}
