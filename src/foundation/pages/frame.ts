import { type Html, html } from './html.ts'

export interface Frame {
  readonly title: string
  readonly head?: Html | undefined
  readonly body: Html
}

/** Renders the frame of every server-rendered page. */
export function renderFrame({ title, head, body }: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title === 'Gatehouse' ? title : `${title} · Gatehouse`}</title>
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/assets/pages.css">
  ${head ?? html``}
</head>
<body>
${body}
</body>
</html>
`.html
}
