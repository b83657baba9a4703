// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HelloApple",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            name: "sign-in-with-apple",
            path: "../..",
            traits: ["Hummingbird", "Testing"]
        ),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "HelloApple",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "SignInWithAppleHummingbird", package: "sign-in-with-apple"),
            ]
        ),
        .testTarget(
            name: "HelloAppleTests",
            dependencies: [
                "HelloApple",
                .product(name: "AppleEmulatorTesting", package: "sign-in-with-apple"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
