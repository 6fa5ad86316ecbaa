# Answers like RubyGems; see ../versions-against-references.ts for the protocol.

def compare(a, b)
  { -1 => '<', 0 => '=', 1 => '>' }[Gem::Version.new(a) <=> Gem::Version.new(b)]
rescue ArgumentError
  '?'
end

def accepts(version, text)
  parts = text.empty? ? [''] : text.split(',', -1)
  requirement = Gem::Requirement.new(parts)
  begin
    requirement.satisfied_by?(Gem::Version.new(version)) ? '1' : '0'
  rescue ArgumentError
    '0'
  end
rescue Gem::Requirement::BadRequirementError
  '!'
end

puts "RubyGems #{Gem::VERSION}"
$stdin.each_line do |line|
  kind, a, b = line.chomp.split(/ /, -1).map { |part| part.unpack1('m0').force_encoding('UTF-8') }
  puts kind == 'compare' ? compare(a, b) : accepts(a, b)
end
