<?php
// Answers like composer/semver; see ../versions.ts for the protocol.

require '/usr/share/php/Composer/Semver/autoload.php';

use Composer\Semver\Comparator;
use Composer\Semver\Constraint\Constraint;
use Composer\Semver\VersionParser;

$parser = new VersionParser();

function compare(string $a, string $b): string
{
    global $parser;
    try {
        $left = $parser->normalize($a);
        $right = $parser->normalize($b);
    } catch (UnexpectedValueException $e) {
        return '?';
    }
    if (strpos($left, 'dev-') === 0 || strpos($right, 'dev-') === 0) {
        return '?';
    }
    if (Comparator::equalTo($left, $right)) {
        return '=';
    }
    return Comparator::lessThan($left, $right) ? '<' : '>';
}

function accepts(string $version, string $range): string
{
    global $parser;
    try {
        $constraints = $parser->parseConstraints($range);
    } catch (UnexpectedValueException $e) {
        return '!';
    }
    // A bound beyond 64 bits, which PHP writes as a floating-point number.
    if (preg_match('/\dE\+\d/', (string) $constraints)) {
        return '!';
    }
    try {
        $normalized = $parser->normalize($version);
    } catch (UnexpectedValueException $e) {
        return '0';
    }
    return $constraints->matches(new Constraint('==', $normalized)) ? '1' : '0';
}

echo "composer/semver\n";
while (($line = fgets(STDIN)) !== false) {
    [$kind, $a, $b] = array_map('base64_decode', explode(' ', rtrim($line, "\n")));
    echo $kind === 'compare' ? compare($a, $b) : accepts($a, $b), "\n";
}
