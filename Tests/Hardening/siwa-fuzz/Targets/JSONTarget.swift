import AppleIdentity
import Foundation

/// The one reader of JSON, held against Foundation's.
struct JSONTarget: FuzzTarget {
    func seeds() throws -> [Data] {
        let real = try SeedFiles.tokens() + SeedFiles.notifications()
        let parts = real.flatMap { $0.split(separator: ".").prefix(2) }
        return try parts.compactMap { FoundationBase64.decode(String($0)) }
            + SeedFiles.keySets() + SeedFiles.discoveries() + Self.odd.map { Data($0.utf8) }
    }

    private static let odd = [
        #"{"a":{"b":[1,-2.5e-3,true,false,null,"\ud83d\ude00\n\\\"/"]},"c":9223372036854775808}"#,
        #"{"a":1,"\u0061":2,"é":3,"e\u0301":4}"#, #"[-9223372036854775808,1e-400,1E+300,0.1]"#,
        "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]", " { } ", "null", #""\u0000""#, "-0",
        "{" + (0..<40).map { "\"name\($0)\":\($0)" }.joined(separator: ",") + "}",
    ]

    /// What is read has the same meaning to Foundation, and survives being written.
    func test(_ input: Data) {
        do throws(JSONError) {
            let value = try JSONValue(parsing: input)
            let again = try? JSONValue(parsing: value.data)
            promise(again == value && again?.text == value.text, "it is written as another value")
            guard let other = FoundationJSON.parse(input) else {
                return promise(false, "Foundation refuses it")
            }
            promise(FoundationJSON.isSame(value, other), "Foundation reads another value")
        } catch {
            promise((0...input.count).contains(error.offset), "the mistake is outside")
            promise(error.description.utf8.count < 1024, "the words have no end")
            promise(
                error.description.unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control
                },
                "the words have control characters"
            )
        }
    }
}
