/** Registry names in OSV's spelling. */
export type Registry = 'npm' | 'PyPI' | 'RubyGems' | 'Maven' | 'Go'
