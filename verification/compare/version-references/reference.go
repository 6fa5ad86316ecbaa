// Answers like golang.org/x/mod/semver; see ../versions-against-references.ts for the protocol.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"runtime"
	"strings"

	"reference/semver"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, "x/mod/semver of", runtime.Version())
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		parts := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		fmt.Fprintln(out, compare(decode(parts[1]), decode(parts[2])))
	}
}

func decode(part string) string {
	text, err := base64.StdEncoding.DecodeString(part)
	if err != nil {
		panic(err)
	}
	if strings.HasPrefix(string(text), "v") {
		return string(text)
	}
	return "v" + string(text)
}

func compare(a, b string) string {
	if !semver.IsValid(a) || !semver.IsValid(b) {
		return "?"
	}
	return []string{"<", "=", ">"}[semver.Compare(a, b)+1]
}
