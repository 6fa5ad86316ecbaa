import { Breadcrumbs, Text } from '@mantine/core'
import { PageLink } from '../ui/links.tsx'

interface Props {
  readonly of: readonly { readonly label: string; readonly to: string }[]
  readonly here: string
}

export function Crumbs({ of, here }: Props) {
  return (
    <nav aria-label="Breadcrumb">
      <Breadcrumbs separator="/" separatorMargin={6}>
        {of.map(({ label, to }) => (
          <PageLink key={to} to={to} size="sm">
            {label}
          </PageLink>
        ))}
        <Text size="sm" c="dimmed" truncate>
          {here}
        </Text>
      </Breadcrumbs>
    </nav>
  )
}
