import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation

/// The four steps of the tour, from what is registered and what happened.
struct TourSteps {
    let facts: TourFacts
    /// Whether the next client secret is refused.
    let isSecretRefused: Bool
    let drawings: [FlowExcerpt: FlowDrawing]
    /// The reason why the latest sign-in failed.
    let failure: FlowFailure?
    /// The latest message that came through the relay.
    let mail: TourDrawing?
    /// Whether an earlier page showed the last result.
    var wasShownDone = false

    var isDone: Bool { steps.allSatisfy { $0.drawing != nil } }

    private var steps: [TourStep] { [signIn, stopUsing, brokenSecret, relayedMail] }

    func content(in visit: ConsoleVisit) -> JSONObject {
        let steps = steps
        let doneCount = steps.count { $0.drawing != nil }
        let next = steps.firstIndex { $0.drawing == nil }
        let open = openIndex(of: steps)
        return [
            "progress": .string(
                "\(doneCount) of \(steps.count) done"
            ),
            "hide": visit.content(of: Console.hideTourForm),
            // The page after an action shows its result.
            "is_collapsed": .boolean(
                next == nil && wasShownDone && visit.notice == nil && visit.refusal == nil
            ),
            "steps": .list(
                steps.enumerated().map { index, step in
                    step.content(
                        place: index + 1,
                        isNext: index == next,
                        isOpen: index == open,
                        in: visit
                    )
                }
            ),
        ]
    }

    /// The last step before the first one that is not done; its drawing is shown open.
    private func openIndex(of steps: [TourStep]) -> Int? {
        let next = steps.firstIndex { $0.drawing == nil } ?? steps.count
        return next > 0 ? next - 1 : nil
    }

    // MARK: Steps

    private var signIn: TourStep {
        var step = TourStep(
            id: "sign-in",
            title: "Sign in once",
            text: site == nil
                ? "The console signs \(visitorName) in as a device would, with a hidden address,"
                    + " and exchanges the code as your server would. Your own app sends the same"
                    + " requests."
                : "Your site sends the browser to the emulator, and your server exchanges the"
                    + " code for tokens."
        )
        step.advice = site == nil ? nil : advice
        step.missing = missingForSignIn
        step.failure = failure
        step.actions = signInActions
        step.drawing = drawings[.signIn].map { TourDrawing($0) }
        return step
    }

    private var stopUsing: TourStep {
        let use = facts.latestUse
        var step = TourStep(
            id: "stop-using",
            title: "Stop using the app",
            text: "\(use?.name ?? "The person") stops using \(use?.appName ?? "the app"), as in the"
                + " settings of an Apple Account. Apple revokes the tokens and sends your server a"
                + " signed notification."
        )
        if let use {
            let hidden = [(name: "email", value: use.email), ("client_id", use.clientID)]
            let label = "Stop using \(use.appName)"
            step.actions = [.form(Self.form("stop-using", label, hidden: hidden))]
        } else {
            step.missing = Self.signInFirst("No one uses an app at the moment. Sign in first:")
        }
        step.drawing = drawings[.stopUsing].map { TourDrawing($0) }
        return step
    }

    private var brokenSecret: TourStep {
        let isPlayed = site == nil
        var step = TourStep(
            id: "broken-secret",
            title: "A broken client secret",
            text: isPlayed
                ? "The console signs in again and sends a client secret signed with a wrong key."
                    + " Apple refuses it with invalid_client, and the emulator says why."
                : isSecretRefused
                    ? "Apple refuses the next client secret with invalid_client, as when its key is"
                        + " revoked. Sign in again, and see how your server handles it."
                    : "The emulator refuses the next client secret with invalid_client, as Apple"
                        + " does when its key is revoked. Then sign in again, and see how your"
                        + " server handles it."
        )
        step.missing = missingForSignIn
        if let site {
            let form = Self.form("refuse-secret", "Refuse the next client secret")
            step.actions = [isSecretRefused ? .link(site) : .form(form)]
        }
        if facts.keyID != nil {
            let label =
                isPlayed ? "Send a broken secret" : "Send a broken secret without the site"
            step.actions.append(.form(Self.form("broken-secret", label)))
        }
        step.drawing = drawings[.brokenSecret].map { TourDrawing($0) }
        return step
    }

    private var relayedMail: TourStep {
        let use = facts.latestHiddenUse
        var step = TourStep(
            id: "mail",
            title: "Mail to a relay address",
            text: "Your app sends a message to the relay address of \(use?.name ?? "the person")."
                + " Apple forwards the message to the inbox behind this address, and hides the"
                + " sender’s address too."
        )
        if use == nil {
            step.missing = Self.signInFirst(
                "No one currently hides their address from an app. Sign in with Hide My Email:"
            )
        } else if use?.senderEmail == nil {
            step.missing = (
                "Apple forwards mail from registered sources only.", ConsoleSection.apps.path,
                "Register a mail source"
            )
        } else {
            step.actions = [.form(Self.form("mail", "Send a message"))]
        }
        step.drawing = mail
        return step
    }

    // MARK: Shared parts

    /// The developer's site; nil in a named world, because the site uses the unnamed one.
    private var site: URL? { facts.isNamedWorld ? nil : facts.site }

    private var visitorName: String { facts.visitor?.name ?? "–" }

    private var advice: String? {
        facts.visitor.map { visitor in
            let password =
                visitor.hasStandardPassword
                ? ", password \(SeedPerson.standardPassword)," : ""
            return "Sign in as \(visitor.email)\(password) and choose Hide My Email for step 4."
        }
    }

    private var signInActions: [TourStep.Action] {
        var actions = [site.map { TourStep.Action.link($0) }].compactMap(\.self)
        if facts.keyID != nil {
            let label = site == nil ? "Sign In" : "Sign in without the site"
            actions.append(.form(Self.form("sign-in", label)))
        }
        return actions
    }

    private var missingForSignIn: TourStep.Missing? {
        let apps = ConsoleSection.apps.path
        if facts.clientID == nil { return ("No app is registered.", apps, "Add an app") }
        if facts.visitor == nil {
            return ("No one has an address to hide.", ConsoleSection.people.path, "Add a person")
        }
        guard site == nil, facts.keyID == nil else { return nil }
        return (
            "The emulator has no local return URL of your app and no private key of its"
                + " team: sign in from your app, or add a key.", ConsoleSection.keys.path,
            "Add a key"
        )
    }

    private static func signInFirst(_ text: String) -> TourStep.Missing {
        (text, "#tour-sign-in", "step 1")
    }

    private static func form(
        _ name: String,
        _ button: String,
        hidden: [(name: String, value: String)] = []
    ) -> ConsoleForm {
        ConsoleForm("tour-form-\(name)", to: "/console/tour/\(name)", button).sending(hidden)
    }
}
