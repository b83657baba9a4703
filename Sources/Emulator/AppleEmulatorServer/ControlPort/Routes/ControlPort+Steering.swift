import AppleEmulator
import AppleIdentity
import Hummingbird
import OpenAPIDescription

/// The routes for decisions, keys, transfers, the clock, switches and faults.
extension ControlPort {
    var steering: [ControlRoute] {
        [
            ControlRoute(
                "authorizations/next",
                .post(Self.decision) { .made(try await emulator.decideNext($0.object)) }
            ),
            ControlRoute(
                "signing-keys/rotate",
                .post(Self.rotation) { .found(try await emulator.rotateSigningKeys($0.object)) }
            ),
            ControlRoute(
                "transfers",
                .post(Self.transfer) { .made(try await emulator.transfer($0.object)) }
            ),
            ControlRoute(
                "clock",
                .post(Self.clock) { .found(try await emulator.moveClock($0.object)) }
            ),
            ControlRoute(
                "switches",
                .get(Self.switchList) { _ in .found(await emulator.switches()) },
                .patch(Self.switchChange) {
                    .found(try await emulator.changeSwitches($0.object))
                },
                .delete(Self.switchReset) { _ in .found(try await emulator.resetSwitches()) }
            ),
            ControlRoute(
                "faults",
                .get(Self.faultList) { _ in
                    .found(["faults": .array(await emulator.faults().map { .object($0) })])
                },
                .post(Self.fault) { .made(try await emulator.addFault($0.object)) },
                .delete(Self.faultEnd) { _ in
                    await emulator.clearFaults()
                    return .done
                }
            ),
        ]
    }

    private static let decision = ControlDescription(
        "decideNext",
        .signIns,
        "Decide the next authorization request without a page; decisions are queued",
        body: ControlBody.decision.restricted(by: ControlRules.choice),
        answers: [.created("The decision.", .object([.required("person", .text())]))]
    )

    private static let rotation = ControlDescription(
        "rotateSigningKeys",
        .apple,
        "Replace Apple's signing keys",
        fields: [
            .optional("keep_old", JSONSchema.flag("Whether old keys stay published.").orNull)
        ],
        answers: [
            .ok(
                "The key IDs.",
                [
                    .required("key_ids", .list(of: .text())),
                    .required("old_key_ids", .list(of: .text())),
                ]
            )
        ]
    )

    private static let transfer = ControlDescription(
        "transferApp",
        .apple,
        "Transfer an app to another team; its users can be migrated for 60 days",
        fields: [
            .required("client_id", ControlBody.text), .required("to_team", ControlBody.text),
        ],
        answers: [
            .created(
                "The transfer.",
                .object([
                    .required("client_id", .text()), .required("from_team", .text()),
                    .required("to_team", .text()), .required("window_ends_at", .time),
                ])
            )
        ],
        refusals: [.notFound, .conflict]
    )

    private static let clockBody = JSONSchema.object(
        [
            .optional("advance_seconds", clockSeconds.orNull),
            .optional(
                "now",
                JSONSchema.text("ISO 8601, or seconds since 1970.", format: "date-time")
                    .restricted(by: ["type": ["string", "number", "null"]])
            ),
        ],
        isClosed: true
    ).restricted(by: ControlRules.one(of: "advance_seconds", "now"))
    private static let clockSeconds = JSONSchema.number.restricted(by: [
        "minimum": .number(-ControlBody.maximumOffsetSeconds),
        "maximum": .number(ControlBody.maximumOffsetSeconds),
    ])

    private static let clock = ControlDescription(
        "moveClock",
        .apple,
        "Move Apple's clock, to a time or by seconds",
        body: clockBody,
        answers: [.ok("The clock's current time.", .object([.required("now", .time)]))]
    )

    // MARK: Switches and faults

    private static let switchList = ControlDescription(
        "listSwitches",
        .faults,
        "List every switch with its value",
        answers: [.ok("The switches.", ControlSchemas.switches.reference)]
    )

    private static let switchChange = ControlDescription(
        "changeSwitches",
        .faults,
        "Set switches, until a reset",
        body: ControlBody.switches,
        answers: [.ok("The switches.", ControlSchemas.switches.reference)]
    )

    private static let switchReset = ControlDescription(
        "resetSwitches",
        .faults,
        "Reset every switch to the seed's value",
        answers: [.ok("The switches.", ControlSchemas.switches.reference)]
    )

    private static let faultList = ControlDescription(
        "listFaults",
        .faults,
        "List the pending faults",
        answers: [
            .ok("The faults.", [.required("faults", .list(of: ControlSchemas.fault.reference))])
        ]
    )

    private static let fault = ControlDescription(
        "addFault",
        .faults,
        "Make an endpoint fail for a number of requests",
        body: ControlBody.fault.restricted(by: ControlRules.fault),
        answers: [.created("The fault.", ControlSchemas.fault.reference)],
        refusals: [.conflict]
    )

    private static let faultEnd = ControlDescription(
        "clearFaults",
        .faults,
        "Delete all faults",
        answers: [.done("All faults are deleted.")]
    )
}
