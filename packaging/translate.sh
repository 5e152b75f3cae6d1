#!/usr/bin/env bash
# Updates the translations from the sources: the Chinese one completely, the English one only for plurals.
# --check: changes nothing, and fails if a text of the window has no translation.
set -euo pipefail
cd "$(dirname "$0")/.."
lupdate=$(command -v lupdate6 || command -v /usr/lib/qt6/bin/lupdate || command -v lupdate)
into=resources/i18n
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 packaging/core_messages.py . >"$work/core_messages.cpp"
if [ "${1:-}" = --check ]; then
    into=$work
    cp resources/i18n/*.ts "$into"
fi
# A text in a class without Q_OBJECT would never be found at run time, so it is an error. Other messages of lupdate are ignored.
update() {
    local said
    said=$("$lupdate" -silent -I . -locations none -no-obsolete $(find ui -name "*.cpp" -o -name "*.h" | sort) app/rankdeck.cpp app/window_sources.cpp "$work/core_messages.cpp" "$@" 2>&1)
    ! grep 'lacks Q_OBJECT' <<<"$said" >&2
}
update -ts "$into/rankdeck_zh_CN.ts" -target-language zh_CN
update -pluralonly -ts "$into/rankdeck_en.ts" -target-language en
if open=$(grep -B4 'type="unfinished"' "$into"/*.ts | grep -o '<source>.*</source>' | sort -u); then
    printf 'no translation in resources/i18n of:\n%s\n' "$open" >&2
    exit 1
fi
