import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The routes that list and delete named worlds.
extension ControlPort {
    var worldRoutes: [ControlRoute] {
        [
            ControlRoute(
                .get("worlds", .state),
                "listWorlds",
                "List the worlds that requests named in `siwa_world` or `Siwa-World`",
                answers: .ok(
                    "Sorted by name.",
                    .required(
                        "worlds",
                        .list(
                            of: .object([
                                .required("name", .text()), .required("made_at", .time),
                                .required("used_at", .time),
                            ])
                        )
                    )
                )
            ) { _ in .found(["worlds": .array(await worlds.all.map { .object($0.object) })]) },
            ControlRoute(
                .delete("worlds/{name}", .state),
                "removeWorld",
                "Delete a world with all its data",
                answers: .done("The world is deleted."),
                perform: removeWorld
            ),
        ]
    }

    @Sendable private func removeWorld(_ request: ControlRequest) async throws -> ControlAnswer {
        let text = try request.parameter("name")
        guard let name = WorldName(text), await worlds.remove(name) else {
            throw ControlProblem(
                status: .notFound,
                code: "not_found",
                field: "name",
                message: "There is no world \(text.prefix(WorldName.maximumCharacterCount))."
            )
        }
        return .done
    }
}

extension World {
    fileprivate var object: JSONObject {
        [
            "name": .string(name.text), "made_at": .string(madeAt.formatted(.iso8601)),
            "used_at": .string(usedAt.formatted(.iso8601)),
        ]
    }
}
