import type { ReactNode } from 'react'

interface Props {
  readonly size?: number
}

/** Returns an icon of lines. */
function drawing(lines: string, children?: ReactNode) {
  return ({ size = 18 }: Props) => (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={lines} />
      {children}
    </svg>
  )
}

/** The product's logo, as on the server's pages and in browser tabs. */
export function GateIcon({ size }: Props) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
      <rect width="32" height="32" rx="7" fill="#17695a" />
      <path
        d="M8 25V14a8 8 0 0 1 16 0v11M16 6v19M12 8v17M20 8v17"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  )
}

export const ShieldIcon = drawing('M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z')
export const HomeIcon = drawing('M4 11l8-7 8 7v9h-5v-6H9v6H4z')
export const KeyIcon = drawing('M4 15a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM11 12l8-8M16 7l3 3M14 9l2 2')
export const AppIcon = drawing('M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 16.5h7M16.5 13v7')
export const InstallIcon = drawing('M12 3v11M7.5 10l4.5 4.5 4.5-4.5M4 17v4h16v-4')
export const HandIcon = drawing('M4 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0zM2 20c0-4 2-6 5-6s5 2 5 6M13 8h8M18 5l3 3-3 3')
export const TestIcon = drawing('M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10')
export const PeopleIcon = drawing(
  'M5.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0zM3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.7 3 5.5',
)
export const PersonIcon = drawing('M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM4.5 21c0-4.5 3-7 7.5-7s7.5 2.5 7.5 7')
export const RoleIcon = drawing('M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4')
export const LogIcon = drawing('M6 3h12v18H6zM9 8h6M9 12h6M9 16h4')
export const BookIcon = drawing('M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14')
export const SunIcon = drawing(
  'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
)
export const MoonIcon = drawing('M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z')
export const SignOutIcon = drawing('M14 4H5v16h9M10 12h11M17 8l4 4-4 4')
export const WarningIcon = drawing('M12 4l9 16H3zM12 10v4M12 17v.01')
export const ErrorIcon = drawing('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0zM12 7v6M12 16.5v.01')
export const CheckIcon = drawing('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0zM8 12l3 3 5-6')
export const CrossIcon = drawing('M6 6l12 12M18 6L6 18')
export const CopyIcon = drawing('M9 9h11v11H9zM5 15H4V4h11v1')
export const FileIcon = drawing('M6 3h8l4 4v14H6zM14 3v4h4')
export const ProjectIcon = drawing('M4 6h6l2 2h8v11H4zM8 13h8')
export const IgnoreIcon = drawing(
  'M4 4l16 16M10 6.2A9 9 0 0 1 21 12a12 12 0 0 1-3 3.6M6.5 7.6A12 12 0 0 0 3 12a9 9 0 0 0 12 5M10 10a2.8 2.8 0 0 0 4 4',
)
export const ImportIcon = drawing('M4 14v6h16v-6M12 3v11M8 10l4 4 4-4M4 10h2M18 10h2')
export const SourceIcon = drawing(
  'M6 8v8M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 8c0 4-6 4-10 6',
)
export const PipelineIcon = drawing('M3 9h5v6H3zM16 9h5v6h-5zM8 12h8M13 9l3 3-3 3')
export const WebhookIcon = drawing('M4 12h4l2-6 4 12 2-6h4')
export const SearchIcon = drawing('M4.5 11a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0zM16 16l5 5')
export const PackageIcon = drawing('M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9')
export const HalfIcon = drawing(
  'M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0z',
  <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />,
)
export const NoneIcon = drawing('M12 8v5M12 16v.1', <circle cx="12" cy="12" r="8" strokeDasharray="3.3 3.3" />)
export const FlameIcon = drawing('M12 3c1 4 6 6 6 11a6 6 0 0 1-12 0c0-2 1-4 2.500-5 0 2 1 3 2 3 1.500-2 .5-6 1.500-9z')
export const ArrowUpIcon = drawing('M12 20V5M6 11l6-6 6 6')
export const ChevronIcon = drawing('M9 5l7 7-7 7')
export const SelectorIcon = drawing('M8 9l4-4 4 4M8 15l4 4 4-4')
export const MenuIcon = drawing('M4 6h16M4 12h16M4 18h16')
