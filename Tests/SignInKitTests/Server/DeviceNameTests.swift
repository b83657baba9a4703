import Testing

@testable import SignInKit

@Suite("The device's name in the list of sessions") struct DeviceNameTests {
    @Test(
        "It has the app, its version and the model, in the characters of a header field",
        arguments: [
            ("Juice", "2.1", "Juice 2.1 on iPhone"), ("Saft für alle", "2.1", "App 2.1 on iPhone"),
            (nil, nil, "App on iPhone"), ("", "2\n1", "App on iPhone"),
        ] as [(String?, String?, String)]
    )
    func name(app: String?, version: String?, expected: String) {
        #expect(DeviceName.name(app: app, version: version, model: "iPhone") == expected)
    }

    @Test("An app's own name loses what a header field cannot carry, and its end")
    func checked() {
        #expect(DeviceName.checked("Maya’s phone") == "Maya?s phone")
        #expect(DeviceName.checked(String(repeating: "a", count: 300))?.count == 200)
        #expect(DeviceName.checked("") == nil)
        #expect(DeviceName.standard.hasSuffix(" on Linux"))
    }
}
