import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTMLPages

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
                visit.words.text(
                    "tourProgress",
                    ["done": String(doneCount), "count": String(steps.count)]
                )
            ),
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
            title: "tourSignIn",
            text: site == nil
                ? .word("tourSignInPlayed", ["person": visitorName]) : "tourSignInOnSite"
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
            title: "tourStop",
            text: use.map { .word("tourStopNamed", ["person": $0.name, "app": $0.appName]) }
                ?? "tourStopUnnamed"
        )
        if let use {
            let hidden = [(name: "email", value: use.email), ("client_id", use.clientID)]
            let label = ConsoleLabel.word("stopUsing", ["app": use.appName])
            step.actions = [.form(Self.form("stop-using", label, hidden: hidden))]
        } else {
            step.missing = Self.signInFirst("noOneUsesAnApp")
        }
        step.drawing = drawings[.stopUsing].map { TourDrawing($0) }
        return step
    }

    private var brokenSecret: TourStep {
        let isPlayed = site == nil
        var step = TourStep(
            id: "broken-secret",
            title: "tourSecret",
            text: isPlayed
                ? "tourSecretPlayed" : isSecretRefused ? "tourSecretArmed" : "tourSecretOnSite"
        )
        step.missing = missingForSignIn
        if let site {
            let form = Self.form("refuse-secret", "refuseSecret")
            step.actions = [isSecretRefused ? .link(site) : .form(form)]
        }
        if facts.keyID != nil {
            let label: ConsoleLabel = isPlayed ? "sendBrokenSecret" : "sendBrokenSecretHere"
            step.actions.append(.form(Self.form("broken-secret", label)))
        }
        step.drawing = drawings[.brokenSecret].map { TourDrawing($0) }
        return step
    }

    private var relayedMail: TourStep {
        let use = facts.latestHiddenUse
        var step = TourStep(
            id: "mail",
            title: "tourMail",
            text: use.map { .word("tourMailNamed", ["person": $0.name]) } ?? "tourMailUnnamed"
        )
        if use == nil {
            step.missing = Self.signInFirst("noOneHidesTheirAddress")
        } else if use?.senderEmail == nil {
            step.missing = ("noMailSource", ConsoleSection.apps.path, "registerASource")
        } else {
            step.actions = [.form(Self.form("mail", "sendMessage"))]
        }
        step.drawing = mail
        return step
    }

    // MARK: Shared parts

    /// The developer's site; nil in a named world, because the site uses the unnamed one.
    private var site: URL? { facts.isNamedWorld ? nil : facts.site }

    private var visitorName: String { facts.visitor?.name ?? "–" }

    private var advice: ConsoleLabel? {
        facts.visitor.map { visitor in
            .word(
                visitor.hasStandardPassword ? "tourAdvicePassword" : "tourAdvice",
                ["person": visitor.email, "password": SeedPerson.standardPassword]
            )
        }
    }

    private var signInActions: [TourStep.Action] {
        var actions = [site.map { TourStep.Action.link($0) }].compactMap(\.self)
        if facts.keyID != nil {
            let label: ConsoleLabel = site == nil ? "signInButton" : "signInHere"
            actions.append(.form(Self.form("sign-in", label)))
        }
        return actions
    }

    private var missingForSignIn: TourStep.Missing? {
        let apps = ConsoleSection.apps.path
        if facts.clientID == nil { return ("noAppRegistered", apps, "addAnApp") }
        if facts.visitor == nil {
            return ("noOneHasAnAddress", ConsoleSection.people.path, "addPerson")
        }
        guard site == nil, facts.keyID == nil else { return nil }
        return ("noSiteAndNoKey", ConsoleSection.keys.path, "addKey")
    }

    private static func signInFirst(_ text: ConsoleLabel) -> TourStep.Missing {
        (text, "#tour-sign-in", "stepOne")
    }

    private static func form(
        _ name: String,
        _ button: ConsoleLabel,
        hidden: [(name: String, value: String)] = []
    ) -> ConsoleForm {
        ConsoleForm("tour-form-\(name)", to: "/console/tour/\(name)", button).sending(hidden)
    }
}

/// A step of the tour, as the overview shows it.
struct TourStep {
    enum Action {
        /// The developer's site, which opens in a new tab.
        case link(URL)
        case form(ConsoleForm)
    }

    typealias Missing = (text: ConsoleLabel, path: String, label: ConsoleLabel)

    let id: String
    let title: ConsoleLabel
    /// A description of the step, in two sentences.
    let text: ConsoleLabel
    /// How to sign in on the developer's site.
    var advice: ConsoleLabel?
    /// The missing prerequisite, and the page where it can be added.
    var missing: Missing?
    /// The reason why the latest sign-in failed, and a fix.
    var failure: FlowFailure?
    var actions: [Action] = []
    var drawing: TourDrawing?

    func content(place: Int, isNext: Bool, isOpen: Bool, in visit: ConsoleVisit) -> JSONObject {
        let words = visit.words
        let texts = [text, advice].compactMap { $0?.text(in: words) }
        var content: JSONObject = [
            "id": .string(id), "place": .integer(place), "title": .string(title.text(in: words)),
            "text": .string(texts.joined(separator: " ")), "is_done": .boolean(drawing != nil),
            "actions": .list(
                missing == nil
                    ? actions.enumerated().map { index, action in
                        Self.content(of: action, isPrimary: isNext && index == 0, in: visit)
                    } : []
            ),
        ]
        // A step that is done needs no prerequisite.
        content["missing"] =
            drawing != nil
            ? nil
            : missing.map {
                [
                    "text": .string($0.text.text(in: words)), "path": .string($0.path),
                    "label": .string($0.label.text(in: words)),
                ]
            }
        content["failure"] = failure.map {
            [
                "text": .string($0.text), "detail": .string($0.detail ?? ""),
                "path": .string($0.path),
            ]
        }
        content["drawing"] = drawing.map { .object($0.content(isOpen: isOpen, words)) }
        return content
    }

    private static func content(
        of action: Action,
        isPrimary: Bool,
        in visit: ConsoleVisit
    ) -> JSONObject {
        switch action {
        case .link(let url):
            let place = [url.host(), url.port.map(String.init)].compactMap(\.self)
            return [
                "url": .string(url.absoluteString), "is_primary": .boolean(isPrimary),
                "label": .string(
                    visit.words.text("openSite", ["site": place.joined(separator: ":")])
                ),
            ]
        case .form(var form):
            form.style = isPrimary ? .primary : .plain
            return ["form": visit.content(of: form)]
        }
    }
}

/// A drawing of what happened in a step of the tour.
struct TourDrawing {
    let html: String
    /// The content in a few words, such as the number of steps.
    let summary: ConsoleLabel
    let path: String
    let label: ConsoleLabel

    init(_ drawing: FlowDrawing) {
        html = drawing.html
        summary = .name(drawing.stepWords)
        path = drawing.path
        label = "wholeFlow"
    }

    init(_ mail: JSONObject, _ renderer: PageRenderer, _ language: PageLanguage) {
        html = renderer.draw(
            MailDrawing(
                relayAddress: mail.text("relay_email"),
                inbox: mail.text("delivered_to"),
                time: (try? Date(mail.text("time"), strategy: .iso8601)) ?? .distantPast
            ),
            in: language
        )
        summary = "messagePath"
        path = "\(ConsoleSection.inbox.path)/\(mail["id"]?.integerValue ?? 0)"
        label = "messageInInbox"
    }

    func content(isOpen: Bool, _ words: PageStrings) -> JSONObject {
        [
            "html": .string(html), "summary": .string(summary.text(in: words)),
            "path": .string(path), "label": .string(label.text(in: words)),
            "is_open": .boolean(isOpen),
        ]
    }
}
