// The completion scripts for the shells. They call the program that the user is typing.

export const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** The script needs no other package. Without `compopt` (in bash 3), it completes no files. */
const bash = `# Completion of platform and platformctl for bash.
_platformctl() {
  local program=$1 before='' answer line value
  COMPREPLY=()
  program=\${program/#\\~\\//$HOME/}
  type -P "$program" >/dev/null || program=platformctl
  answer=$("$program" __complete --line "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
  if [[ $answer == :files* ]]; then
    before=\${answer##*$'\\t'}
    if [[ -z $before ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    answer=\${answer#*$'\\t'}
    answer=$(compgen -f -- "\${answer%%$'\\t'*}")
  fi
  while IFS= read -r line; do
    [[ -n $line ]] || continue
    value=$before\${line%%$'\\t'*}
    if [[ -n $before && -d $line ]]; then
      value+=/
      compopt -o nospace 2>/dev/null
    fi
    # Text that is already inside quotes needs no backslashes.
    [[ \${COMP_WORDS[COMP_CWORD]} == [\\'\\"]* ]] || printf -v value %q "$value"
    COMPREPLY+=("$value")
  done <<<"$answer"
}
complete -F _platformctl platform platformctl
`;

const zsh = `#compdef platform platformctl
# Completion of platform and platformctl for zsh.
_platformctl() {
  local program=\${(Q)words[1]} line value kept
  local -a answer described
  program=\${program/#\\~\\//$HOME/}
  whence -p -- "$program" >/dev/null || program=platformctl
  answer=("\${(@f)$("$program" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ \${answer[1]} == :files* ]]; then
    kept=\${answer[1]##*$'\\t'}
    [[ -z $kept ]] || compset -P "\${(b)kept}"
    _files
    return
  fi
  for line in "\${answer[@]}"; do
    [[ -n $line ]] || continue
    value=\${line%%$'\\t'*}
    if [[ $line == *$'\\t'* ]]; then
      described+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    else
      described+=("\${value//:/\\\\:}")
    fi
  done
  _describe -V 'platformctl' described
}
compdef _platformctl platform platformctl
# As a file in $fpath, this text is run as the function's first call.
if [[ \${funcstack[1]} == _platformctl ]]; then
  _platformctl "$@"
fi
`;

const fish = `# Completion of platform and platformctl for fish.
function __platformctl_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program $words[1]
    type -q -- "$program"; or set program platformctl
    set -l answer (command $program __complete -- $words[2..-1] "$typed" 2>/dev/null)
    test (count $answer) -gt 0; or return
    if string match -q -- ':files*' $answer[1]
        set -l parts (string split -- \\t $answer[1])
        for path in (__fish_complete_path "$parts[2]")
            printf '%s%s\\n' "$parts[3]" $path
        end
        return
    end
    printf '%s\\n' $answer
end
complete -c platform -f -k -a '(__platformctl_complete)'
complete -c platformctl -f -k -a '(__platformctl_complete)'
`;

export const scripts: Record<Shell, string> = { bash, zsh, fish };
