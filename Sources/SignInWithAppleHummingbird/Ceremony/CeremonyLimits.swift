/// How long and how often a browser may be at Apple's page.
package enum CeremonyLimits {
    /// Seconds from the button to the answer of Apple's page.
    package static let lifetime = 600
    /// Ceremonies one browser may have under way: tabs opened before an earlier one was finished.
    package static let maximumCount = 8
    /// What the names of the cookies begin with; `__Host-` keeps neighbouring hosts from writing them.
    static let cookiePrefix = "__Host-siwa-ceremony-"
}
