import Foundation

/// Words that must not stand in the code, with what to write instead.
struct WordRule {
    let words: [String]
    let fix: String
    /// Whether comments and literals count too, and case does not.
    var readsProse = false
    /// Files in which the words are at home.
    var exceptions: Set<String> = []

    static let time = WordRule(
        words: ["Date()", "Date.now", "Date(timeIntervalSinceNow", "Task.sleep", "Thread.sleep"],
        fix: "take the time from a TimeSource",
        exceptions: ["Sources/Shared/AppleIdentity/Time/TimeSource.swift"]
    )
    static let sleeping = WordRule(
        words: ["Task.sleep", "Thread.sleep", "usleep("],
        fix: "wait for what shall happen, or move a ManualTime",
        exceptions: ["Tests/TestSupport/Waiting.swift"]
    )
    static let crashing = WordRule(
        words: ["try!", "as!", "fatalError(", "preconditionFailure("],
        fix: "throw, or make the case impossible by a type",
        // AES-GCM fails only with a key of another length, and the type has keys of 32 bytes.
        exceptions: ["Sources/Server/SignInWithApple/Sealing/TokenSealer.swift"]
    )
    static let unchecked = WordRule(
        words: ["@unchecked Sendable", "nonisolated(unsafe)"],
        fix: "use a Mutex (in an app's modules a LockedValue), an actor or a value",
        exceptions: [
            "Sources/Shared/AppleIdentity/Concurrency/LockedValue.swift",
            // Apple's framework takes objects of no actor to the main one, unchecked.
            "Sources/App/SimulatedAuthenticationServices/Controller/MainActorDelivery.swift",
        ]
    )

    /// The modules that run in apps and in their tests, back to iOS 17.
    static let appTargets: Set<String> = [
        "AppleIdentity", "LimitedTransport", "SimulatedAuthenticationServices", "SignInKit",
        "SignInKitUI", "JuiceApp",
        "AppleEmulatorTesting", "AppleEmulator", "SignInWithApple", "AccountsAccessTokens",
        "OpenAPIDescription", "SignedTokens", "StrictHTTP",
    ]

    static let newerSystems = WordRule(
        words: [
            "import Synchronization", "Mutex", "Atomic", "@Entry", "#Preview", "SwiftData",
            // The standard library's own of iOS 18 and later, which this system has in any version.
            "String(validating:", "init(validating:", "RangeSet", "Int128", "UInt128",
            "AsyncSequence<", "next(isolation:", "isolated deinit", "Task.immediate",
            "InlineArray",
        ],
        fix: "iOS 17 does not have it; for a lock there is LockedValue, for UTF-8 String(utf8:)"
    )
    static let printing = WordRule(
        words: [
            "print(", "debugPrint(", "dump(", "NSLog(", "FileHandle.standardOutput",
            "FileHandle.standardError",
        ],
        fix: "log, or let siwa write through its Terminal",
        exceptions: ["Sources/Command/siwa/Running/Terminal.swift"]
    )
    static let unfinished = WordRule(
        words: ["todo", "fixme", "placeholder", "for now", "not implemented", "xxx"],
        fix: "finish it, or say in the documents what is missing",
        readsProse: true
    )
    static let disabledTests = WordRule(
        words: [".disabled(", ".enabled(", "withKnownIssue", "XCTSkip", "Test.cancel("],
        fix: "fix the test or remove it"
    )

    func violations(in file: SourceFile) -> [Violation] {
        guard !exceptions.contains(file.path) else { return [] }
        let text = readsProse ? file.text.lowercased() : file.text
        let candidates = words.filter { text.contains($0) }
        guard !candidates.isEmpty else { return [] }
        let lines = readsProse ? text.components(separatedBy: "\n") : file.codeLines
        return lines.enumerated().flatMap { index, line in
            candidates.filter { Self.contains($0, in: line) }.map { word in
                Violation(
                    path: file.path,
                    line: index + 1,
                    message: "\"\(word)\" is not allowed: \(fix)"
                )
            }
        }
    }

    /// Whether the word stands there by itself, not as the end of a longer name.
    private static func contains(_ word: String, in line: String) -> Bool {
        var rest = line[...]
        while let range = rest.firstRange(of: word) {
            let before = line[..<range.lowerBound].last
            let isEndOfName = before.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
            // A member or a declaration of that name is something else than the function.
            let isMember =
                word.hasSuffix("(")
                && (before == "." || line[..<range.lowerBound].hasSuffix("func "))
            let after = rest[range.upperBound...].first
            let isStartOfName =
                word.last?.isLetter == true && after.map { $0.isLetter || $0.isNumber } ?? false
            if !isEndOfName && !isMember && !isStartOfName { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }
}
