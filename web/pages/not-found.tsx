import { Anchor } from '@mantine/core'
import { paths } from '../navigation/paths.ts'
import { Link } from '../router/react.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="No page exists at this address.">
        <Anchor component={Link} to={paths.overview}>
          Go to overview
        </Anchor>
      </Empty>
    </Page>
  )
}
