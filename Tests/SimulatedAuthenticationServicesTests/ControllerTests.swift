import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import SimulatedAuthenticationServices

@MainActor @Suite("A controller", Harness.lending) struct ControllerTests {
    private let (device, apple): (SimulatedDevice, TestApple)
    init() throws { (device, apple) = try Harness.lending.value }

    @Test("It keeps itself alive until it has called its delegate")
    func aliveWhileRunning() async throws {
        device.script(.continue())
        let listener = Listener()
        weak var controller: ASAuthorizationController?
        do {
            let local = ASAuthorizationController(authorizationRequests: [Harness.appleRequest()])
            local.begin(for: listener)
            controller = local
        }
        #expect(controller != nil)
        let credential = try await listener.ending().apple
        #expect(credential != nil)
        try await waitUntil { controller == nil }
    }

    @Test("Its delegate and its presentation context provider are weak")
    func weakDelegate() async throws {
        device.script(.continue())
        let controller = ASAuthorizationController(authorizationRequests: [Harness.appleRequest()])
        do {
            let local = Listener()
            controller.begin(for: local)
        }
        #expect(controller.delegate == nil)
        #expect(controller.presentationContextProvider == nil)
        // The run continues without them.
        try await waitUntil { try await !device.apps().isEmpty }
    }

    @Test("Each run calls back once, on the main actor, with the controller itself")
    func oneCallback() async throws {
        let listener = Listener()
        let controller = ASAuthorizationController(authorizationRequests: [Harness.appleRequest()])
        for count in 1...3 {
            device.script(count == 2 ? .cancel : .continue())
            controller.begin(for: listener)
            try await waitUntil { listener.endings.count >= count }
        }
        for _ in 1...100 { await Task.yield() }
        #expect(listener.endings.map { $0.error?.code } == [nil, .canceled, nil])
        #expect(listener.controllers.allSatisfy { $0 == ObjectIdentifier(controller) })
        #expect(listener.anchorCount == 3)
    }

    @Test("cancel() ends a run once, as canceled") func cancel() async throws {
        let presenter = WaitingPresenter()
        device.sheet = presenter
        let listener = Listener()
        let controller = ASAuthorizationController(authorizationRequests: [Harness.appleRequest()])
        controller.begin(for: listener)
        await presenter.shown.wait()
        controller.cancel()
        #expect(await listener.ending().error?.code == .canceled)
        controller.cancel()
        // The screen is free at once, and what the person does with the old sheet counts for nothing.
        #expect(!device.isShowingSheet)
        device.script(.cancel)
        #expect(await Harness.code([Harness.appleRequest()]) == .canceled)
        presenter.answered.send()
        await presenter.returned.wait()
        for _ in 1...100 { await Task.yield() }
        #expect(listener.endings.count == 1)
        let apps = try await device.apps()
        #expect(apps.isEmpty)
    }

    @Test("A second sheet while one is open fails") func oneSheet() async throws {
        let presenter = WaitingPresenter()
        device.sheet = presenter
        let listener = Listener()
        let first = ASAuthorizationController(authorizationRequests: [Harness.appleRequest()])
        first.begin(for: listener)
        await presenter.shown.wait()
        #expect(await Harness.code([Harness.appleRequest()]) == .failed)
        presenter.answered.send()
        let credential = try await listener.ending().apple
        #expect(credential?.email == Harness.maya)
    }

    @Test("Both methods of a delegate are optional") func optionalMethods() async throws {
        final class Silent: NSObject, ASAuthorizationControllerDelegate {}
        let silent = Silent()
        device.script(.continue())
        let controller = ASAuthorizationController(authorizationRequests: [Harness.appleRequest()])
        controller.delegate = silent
        controller.performRequests()
        try await waitUntil { try await !device.apps().isEmpty }
    }

    @Test("With Apple and a password, what exists is offered and one credential comes back")
    func appleOrPassword() async throws {
        let requests = [Harness.appleRequest(), Harness.passwordRequest()]
        device.store(password: "secret", for: "maya")
        device.script(.usePassword)
        #expect(await Harness.run(requests).password?.user == "maya")
        #expect(device.shownSheets.last?.kind == .password)
        _ = try await Harness.signIn(device)
        device.script(.continue(), .usePasswordOf("maya"), .usePasswordOf("noah"))
        #expect(try await Harness.run(requests).apple?.email == nil)
        #expect(device.shownSheets.last?.kind == .appleOrPassword)
        let password = await Harness.run(requests).password
        #expect(password?.password == "secret")
        #expect(await Harness.code(requests) == .failed)
        device.removePassword(for: "maya")
        device.script(.continue())
        #expect(try await Harness.run(requests).apple != nil)
        #expect(device.shownSheets.last?.kind == .again)
    }

    @Test("The provider of an authorization is that of the fulfilled request")
    func provider() async throws {
        let apple = Harness.appleRequest()
        let password = Harness.passwordRequest()
        device.store(password: "secret", for: "maya")
        device.script(.usePassword)
        let authorization = await Harness.run([apple, password]).authorization
        #expect(authorization?.provider === password.provider)
    }

    @Test("Immediately available credentials show no sheet if there are none")
    func immediate() async throws {
        let apple = [Harness.appleRequest()]
        let code = await Harness.code(apple, options: .preferImmediatelyAvailableCredentials)
        #expect(code == .canceled && device.shownSheets.isEmpty)
        _ = try await Harness.signIn(device)
        device.script(.continue())
        let ending = await Harness.run(apple, options: .preferImmediatelyAvailableCredentials)
        #expect(try ending.apple != nil)
        device.signOut()
        let requests = apple + [Harness.passwordRequest()]
        let none = await Harness.code(requests, options: .preferImmediatelyAvailableCredentials)
        #expect(none == .canceled && device.alerts.isEmpty)
        #expect(ASAuthorizationController.RequestOptions([]).rawValue == 0)
        let option = ASAuthorizationController.RequestOptions.preferImmediatelyAvailableCredentials
        #expect(option.rawValue == 1)
    }

    @Test("A slow device answers when its time has come") func slow() async throws {
        device.switches.delay = .seconds(30)
        device.script(.continue())
        let listener = Listener()
        ASAuthorizationController(authorizationRequests: [Harness.appleRequest()])
            .begin(for: listener)
        try await waitUntil { apple.time.sleeperCount > 0 }
        #expect(listener.endings.isEmpty)
        apple.advance(by: .seconds(30))
        let credential = try await listener.ending().apple
        #expect(credential != nil)
    }
}

/// A person who takes their time.
private final class WaitingPresenter: SheetPresenter {
    let shown = Signal()
    let answered = Signal()
    let returned = Signal()

    func present(_ sheet: AuthorizationSheet) async -> SheetAnswer {
        shown.send()
        await answered.wait()
        returned.send()
        return .continue()
    }
}
