// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/color_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace rankdeck::ui {
namespace {

using Triple = std::array<double, 3>;

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double encoded(double channel)
{
    channel = std::clamp(channel, 0.0, 1.0);
    return channel <= 0.0031308 ? channel * 12.92 : 1.055 * std::pow(channel, 1 / 2.4) - 0.055;
}

Triple linearRgb(const QColor &color) { return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())}; }

Triple labOf(const QColor &color)
{
    const auto [r, g, b] = linearRgb(color);
    const auto fold = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = fold((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = fold(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = fold((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double hueOf(double a, double b)
{
    if (a == 0 && b == 0) return 0;
    const double angle = std::atan2(b, a) * 180 / std::numbers::pi;
    return angle < 0 ? angle + 360 : angle;
}

double cosDegrees(double angle) { return std::cos(angle * std::numbers::pi / 180); }
double sinDegrees(double angle) { return std::sin(angle * std::numbers::pi / 180); }

double hueDifference(double h1, double h2, double chromas)
{
    if (chromas == 0) return 0;
    const double difference = h2 - h1;
    if (difference > 180) return difference - 360;
    return difference < -180 ? difference + 360 : difference;
}

double hueMean(double h1, double h2, double chromas)
{
    if (chromas == 0) return h1 + h2;
    if (std::abs(h1 - h2) <= 180) return (h1 + h2) / 2;
    return h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
}

}  // namespace

double luminance(const QColor &color)
{
    const auto [r, g, b] = linearRgb(color);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

double contrastRatio(const QColor &one, const QColor &other)
{
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor seenBy(Eye eye, const QColor &color)
{
    using Matrix = std::array<Triple, 3>;
    static constexpr Matrix protan = {
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
    static constexpr Matrix deutan = {
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
    static constexpr Matrix tritan = {
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    if (eye == Eye::normal) return color;
    const Matrix &m = eye == Eye::protan ? protan : eye == Eye::deutan ? deutan : tritan;
    const Triple in = linearRgb(color);
    Triple out{};
    for (std::size_t row = 0; row < 3; ++row)
        out[row] = encoded(m[row][0] * in[0] + m[row][1] * in[1] + m[row][2] * in[2]);
    return QColor::fromRgbF(static_cast<float>(out[0]), static_cast<float>(out[1]), static_cast<float>(out[2]));
}

double deltaE2000(const QColor &one, const QColor &other)
{
    const auto [l1, a1, b1] = labOf(one);
    const auto [l2, a2, b2] = labOf(other);
    const double meanChroma7 = std::pow((std::hypot(a1, b1) + std::hypot(a2, b2)) / 2, 7);
    const double stretch = 1 + 0.5 * (1 - std::sqrt(meanChroma7 / (meanChroma7 + 6103515625.0)));
    const double c1 = std::hypot(a1 * stretch, b1);
    const double c2 = std::hypot(a2 * stretch, b2);
    const double h1 = hueOf(a1 * stretch, b1);
    const double h2 = hueOf(a2 * stretch, b2);

    const double dL = l2 - l1;
    const double dC = c2 - c1;
    const double dH = 2 * std::sqrt(c1 * c2) * sinDegrees(hueDifference(h1, h2, c1 * c2) / 2);
    const double meanL = (l1 + l2) / 2;
    const double meanC = (c1 + c2) / 2;
    const double meanH = hueMean(h1, h2, c1 * c2);

    const double t = 1 - 0.17 * cosDegrees(meanH - 30) + 0.24 * cosDegrees(2 * meanH) +
                     0.32 * cosDegrees(3 * meanH + 6) - 0.20 * cosDegrees(4 * meanH - 63);
    const double lightness = (meanL - 50) * (meanL - 50);
    const double sL = 1 + 0.015 * lightness / std::sqrt(20 + lightness);
    const double sC = 1 + 0.045 * meanC;
    const double sH = 1 + 0.015 * meanC * t;
    const double c7 = std::pow(meanC, 7);
    const double turn = 30 * std::exp(-std::pow((meanH - 275) / 25, 2));
    const double rotation = -2 * std::sqrt(c7 / (c7 + 6103515625.0)) * sinDegrees(2 * turn);
    const double l = dL / sL;
    const double c = dC / sC;
    const double h = dH / sH;
    return std::sqrt(l * l + c * c + h * h + rotation * c * h);
}

}  // namespace rankdeck::ui
