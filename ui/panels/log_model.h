// SPDX-License-Identifier: GPL-3.0-or-later
// A window into one log: consecutive lines with their offsets, in a ring buffer of at most maxLines. Takes bytes,
// provides printable lines. A line over 4 kB is cut, with a remark. An incomplete last line is kept until its end
// arrives.
#pragma once

#include <QAbstractTableModel>

#include <cstdint>
#include <deque>
#include <string>

namespace rankdeck::ui {

class LogModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { offset, text, columnTotal };
    explicit LogModel(std::size_t maxLines = 100'000, QObject *parent = nullptr);

    void clear();
    // The bytes must follow the existing ones. In an empty model they may begin anywhere; wholeLine: they begin at the
    // start of a line.
    void append(std::uint64_t at, const std::string &bytes, bool wholeLine);
    [[nodiscard]] std::uint64_t end() const { return m_end; }                      // offset of the next byte to read
    [[nodiscard]] int rowAt(std::uint64_t byteOffset) const;                       // the line with this byte; -1: none
    [[nodiscard]] int find(const QString &needle, int after, bool forward) const;  // wraps around; -1: none

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Line {
        std::uint64_t at = 0;
        QString text;
    };
    static Line lineOf(std::uint64_t at, const std::string &bytes);

    std::size_t m_maxLines;
    std::deque<Line> m_lines;
    std::string m_rest;  // bytes of the incomplete last line
    std::uint64_t m_restAt = 0, m_end = 0;
    bool m_skipFirst = false;
};

}  // namespace rankdeck::ui
