import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// The routes that describe the API, as an OpenAPI document and as a page.
struct OpenAPIRoutes: Sendable {
    static let path = "/openapi.json"
    static let description = Operation(
        id: "describe",
        group: .operation,
        summary: "Get this description",
        answer: .ok("An OpenAPI 3.1 document.", .object([.required("openapi", .text())]))
    )

    let server: ServerParts
    /// All JSON routes except this one.
    let described: [DescribedRoute]

    var routes: [Route] {
        let own = DescribedRoute(method: .get, path: Self.path, operation: Self.description)
        let all = described + [own]
        let document = OpenAPIDocument(appName: server.configuration.appName, routes: all)
        let bytes = ByteBuffer(bytes: JSONValue.object(document.object).bytes)
        return [
            Route(.get, Self.path, as: Self.description) { _, _ in .json(bytes) },
            Route(.get, WebPath.interface) { request, _ in
                try server.pages.response(InterfacePage(described: all), to: request)
            },
        ]
    }
}

/// The API description as a page; its operations are described in English in every language.
struct InterfacePage: Page {
    static let template = PageTemplate.interface

    let described: [DescribedRoute]

    var titleWord: String { "interfaceTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        let byGroup = Dictionary(grouping: described, by: \.operation.group)
        return [
            "document": OpenAPIRoutes.path,
            "groups": Operation.Group.allCases.compactMap { group in
                byGroup[group].map { ["name": group.rawValue, "operations": $0.map(Self.values)] }
            },
        ]
    }

    private static func values(_ route: DescribedRoute) -> [String: Any] {
        let operation = route.operation
        let answer = operation.answer
        let refusals = operation.refusalsByStatus.sorted { $0.key.code < $1.key.code }
        return [
            "method": route.method.rawValue,
            "path": route.path,
            "id": operation.id,
            "summary": operation.summary,
            "needsSession": operation.access != .anyone,
            "credentials": "Authorization: \(operation.access == .service ? "Basic" : "Bearer") …",
            "hasFields": !(operation.fields + operation.form).isEmpty,
            "fields": (operation.fields + operation.form).map(values),
            "status": "\(answer.status.code)",
            "answer": answer.description,
            "answerType": answer.schema?.typeName ?? "",
            "refusals": refusals.map { status, codes in
                ["status": "\(status.code)", "codes": codes.joined(separator: ", ")]
            },
        ]
    }

    private static func values(_ field: Operation.Field) -> [String: Any] {
        [
            "name": field.name,
            "type": field.schema.typeName,
            "requiredMark": field.isRequired ? " *" : "",
            "description": field.schema.description ?? "",
        ]
    }
}
