/** The page for a server whose documentation was not built. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gatehouse: the documentation is not built</title>
<h1>The documentation is not built</h1>
<p>The server runs and its interface works. To build the documentation, run this in Gatehouse’s folder and load this page again:</p>
<pre>npm ci
npm run build:docs</pre>
<p>The Markdown of the pages is in the folder <code>docs/guides</code>.</p>
</html>
`
